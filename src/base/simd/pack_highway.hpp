// A pack as one register, through Highway: eight lanes on AVX-512, four on AVX2, two on NEON. Included only by files
// compiled for one instruction set: everything is in unnamed or per-target namespaces, so that the linker never takes
// a wide copy for a narrow machine.
#pragma once

#include "base/simd/kernels.hpp"

#include <hwy/highway.h>

// A kernel compiles to one function: its parts must be inlined, never called.
#define SIMD_INLINE inline __attribute__((always_inline))

namespace recta::simd {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Wide = hn::CappedTag<double, static_cast<std::size_t>(kLanes)>;
using Narrow = hn::Rebind<float, Wide>;
using Pack = hn::Vec<Wide>;
constexpr Index kWidth = static_cast<Index>(hn::MaxLanes(Wide()));

// Packs of doubles, or of twice as many floats.
template <class Number>
using TagOf = hn::CappedTag<Number, 64 / sizeof(Number)>;
template <class Number>
using PackOf = hn::Vec<TagOf<Number>>;

template <class Number>
SIMD_INLINE PackOf<Number> zero_of() {
  return hn::Zero(TagOf<Number>());
}
template <class Number>
SIMD_INLINE PackOf<Number> set_of(Number a) {
  return hn::Set(TagOf<Number>(), a);
}
template <class Number>
SIMD_INLINE PackOf<Number> load_of(const Number* from) {
  return hn::LoadU(TagOf<Number>(), from);
}
template <class Number>
SIMD_INLINE void store_of(const PackOf<Number>& a, Number* to) {
  hn::StoreU(a, TagOf<Number>(), to);
}
template <class Number>
SIMD_INLINE PackOf<Number> fma_of(const PackOf<Number>& a, const PackOf<Number>& b, const PackOf<Number>& c) {
  return hn::MulAdd(a, b, c);
}
SIMD_INLINE PackOf<float> max_of(const PackOf<float>& a, const PackOf<float>& b) {
  return hn::Max(a, b);
}
// a 2^k, for 2^k that is neither too large nor too small for a float; shifted: k + 3 2^22.
SIMD_INLINE PackOf<float> times_float_power(const PackOf<float>& a, const PackOf<float>& shifted) {
  const hn::RebindToUnsigned<TagOf<float>> bits;
  return a * hn::BitCast(TagOf<float>(), hn::ShiftLeft<23>(hn::BitCast(bits, shifted) + hn::Set(bits, 127)));
}

SIMD_INLINE Pack zero() {
  return hn::Zero(Wide());
}
SIMD_INLINE Pack set(double a) {
  return hn::Set(Wide(), a);
}
SIMD_INLINE Pack load(const double* from) {
  return hn::LoadU(Wide(), from);
}
SIMD_INLINE Pack load(const float* from) {
  return hn::PromoteTo(Wide(), hn::LoadU(Narrow(), from));
}

// The first `count` numbers of less than a pack, then zeros. On processors without a masked load, an emulated one may
// touch the memory it masks out: numbers are copied there.
template <class T>
SIMD_INLINE Pack load_part(const T* from, Index count) {
#if HWY_MEM_OPS_MIGHT_FAULT
  HWY_ALIGN T copy[kWidth] = {};
  for (Index k = 0; k < count; ++k) copy[k] = from[k];
  return load(copy);
#else
  const auto n = static_cast<std::size_t>(count > 0 ? count : 0);
  if constexpr (sizeof(T) == sizeof(double)) {
    return hn::MaskedLoad(hn::FirstN(Wide(), n), Wide(), from);
  } else {
    return hn::PromoteTo(Wide(), hn::MaskedLoad(hn::FirstN(Narrow(), n), Narrow(), from));
  }
#endif
}
SIMD_INLINE void store(const Pack& a, double* to) {
  hn::StoreU(a, Wide(), to);
}
SIMD_INLINE void store_part(const Pack& a, double* to, Index count) {
  HWY_ALIGN double copy[kWidth];
  store(a, copy);
  for (Index k = 0; k < count; ++k) to[k] = copy[k];
}

SIMD_INLINE Pack fma(const Pack& a, const Pack& b, const Pack& c) {
  return hn::MulAdd(a, b, c);
}
SIMD_INLINE Pack fms(const Pack& a, const Pack& b, const Pack& c) {
  return hn::MulSub(a, b, c);
} // a b - c
SIMD_INLINE Pack abs(const Pack& a) {
  return hn::Abs(a);
}
SIMD_INLINE Pack max(const Pack& a, const Pack& b) {
  return hn::Max(a, b);
}
SIMD_INLINE bool all_at_most(const Pack& a, double most) { // no, if one of them is NaN
  return hn::AllTrue(Wide(), a <= set(most));
}
// a 2^k, for 2^k that is neither too large nor too small for a double; shifted: k + 3 2^51, whose last bits are those
// of k.
SIMD_INLINE Pack times_power(const Pack& a, const Pack& shifted) {
  const hn::RebindToUnsigned<Wide> bits;
  return a * hn::BitCast(Wide(), hn::ShiftLeft<52>(hn::BitCast(bits, shifted) + hn::Set(bits, 1023)));
}
SIMD_INLINE double fma(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}

} // namespace
} // namespace recta::simd
