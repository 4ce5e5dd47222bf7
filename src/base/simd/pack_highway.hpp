// Eight lanes as one, two or four registers, through Highway. Included only by files compiled for one instruction set:
// everything is in unnamed or per-target namespaces, so that the linker never takes a wide copy for a narrow machine.
#pragma once

#include "base/simd/kernels.hpp"

#include <hwy/highway.h>

namespace recta::simd {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Wide = hn::CappedTag<double, static_cast<std::size_t>(kLanes)>;
using Narrow = hn::Rebind<float, Wide>;
constexpr int kWidth = static_cast<int>(hn::MaxLanes(Wide()));
constexpr int kParts = static_cast<int>(kLanes) / kWidth;
using Register = hn::Vec<Wide>;

struct Pack {
  Register part[kParts];
};

template <class F>
HWY_INLINE Pack each(F f) {
  Pack out;
  for (int k = 0; k < kParts; ++k) out.part[k] = f(k);
  return out;
}

HWY_INLINE Register widen(const double* from) {
  return hn::LoadU(Wide(), from);
}
HWY_INLINE Register widen(const float* from) {
  return hn::PromoteTo(Wide(), hn::LoadU(Narrow(), from));
}

HWY_INLINE Pack zero() {
  return each([](int) { return hn::Zero(Wide()); });
}
HWY_INLINE Pack set(double a) {
  return each([=](int) { return hn::Set(Wide(), a); });
}
template <class T>
HWY_INLINE Pack load(const T* from) {
  return each([=](int k) { return widen(from + k * kWidth); });
}

// A masked load may touch what it masks out on processors without one: numbers are copied there.
template <class T>
HWY_INLINE Register widen_part(const T* from, Index count) {
#if HWY_MEM_OPS_MIGHT_FAULT
  HWY_ALIGN T copy[kWidth] = {};
  for (Index k = 0; k < count; ++k) copy[k] = from[k];
  return widen(copy);
#else
  if constexpr (sizeof(T) == sizeof(double)) {
    return hn::MaskedLoad(hn::FirstN(Wide(), static_cast<std::size_t>(count)), Wide(), from);
  } else {
    const Narrow narrow;
    return hn::PromoteTo(Wide(), hn::MaskedLoad(hn::FirstN(narrow, static_cast<std::size_t>(count)), narrow, from));
  }
#endif
}

// The first `count` < 8 numbers, and zeros.
template <class T>
HWY_INLINE Pack load_part(const T* from, Index count) {
  return each([=](int k) {
    const Index left = count - k * kWidth;
    if (left >= kWidth) return widen(from + k * kWidth);
    if (left <= 0) return hn::Zero(Wide());
    return widen_part(from + k * kWidth, left);
  });
}
HWY_INLINE void store(const Pack& a, double* to) {
  for (int k = 0; k < kParts; ++k) hn::StoreU(a.part[k], Wide(), to + k * kWidth);
}
HWY_INLINE void store_part(const Pack& a, double* to, Index count) {
  HWY_ALIGN double copy[kLanes];
  store(a, copy);
  for (Index k = 0; k < count; ++k) to[k] = copy[k];
}

HWY_INLINE Pack operator+(const Pack& a, const Pack& b) {
  return each([&](int k) { return hn::Add(a.part[k], b.part[k]); });
}
HWY_INLINE Pack operator-(const Pack& a, const Pack& b) {
  return each([&](int k) { return hn::Sub(a.part[k], b.part[k]); });
}
HWY_INLINE Pack operator*(const Pack& a, const Pack& b) {
  return each([&](int k) { return hn::Mul(a.part[k], b.part[k]); });
}
HWY_INLINE Pack fma(const Pack& a, const Pack& b, const Pack& c) {
  return each([&](int k) { return hn::MulAdd(a.part[k], b.part[k], c.part[k]); });
}
HWY_INLINE Pack fms(const Pack& a, const Pack& b, const Pack& c) { // a b - c
  return each([&](int k) { return hn::MulSub(a.part[k], b.part[k], c.part[k]); });
}
HWY_INLINE Pack abs(const Pack& a) {
  return each([&](int k) { return hn::Abs(a.part[k]); });
}
HWY_INLINE double fma(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}

} // namespace
} // namespace recta::simd
