// A pack as an array of eight, for processors that no other level fits, and as the reference for all levels. std::fma
// is one rounding even if the processor has no such instruction (it is slow there).
#pragma once

#include "base/simd/kernels.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>

#define SIMD_INLINE inline __attribute__((always_inline))

namespace recta::simd {
namespace {

constexpr Index kWidth = kLanes;

struct Pack {
  double lane[kWidth];
};

template <class F>
SIMD_INLINE Pack each(F f) {
  Pack out;
  for (int k = 0; k < kLanes; ++k) out.lane[k] = f(k);
  return out;
}

SIMD_INLINE Pack zero() {
  return Pack{};
}
SIMD_INLINE Pack set(double a) {
  return each([=](int) { return a; });
}
template <class T>
SIMD_INLINE Pack load(const T* from) {
  return each([=](int k) { return static_cast<double>(from[k]); });
}
// The first `count` numbers of less than a pack, then zeros.
template <class T>
SIMD_INLINE Pack load_part(const T* from, Index count) {
  return each([=](int k) { return k < count ? static_cast<double>(from[k]) : 0.0; });
}
SIMD_INLINE void store(const Pack& a, double* to) {
  for (int k = 0; k < kLanes; ++k) to[k] = a.lane[k];
}
SIMD_INLINE void store_part(const Pack& a, double* to, Index count) {
  for (int k = 0; k < count; ++k) to[k] = a.lane[k];
}

SIMD_INLINE Pack operator+(const Pack& a, const Pack& b) {
  return each([&](int k) { return a.lane[k] + b.lane[k]; });
}
SIMD_INLINE Pack operator-(const Pack& a, const Pack& b) {
  return each([&](int k) { return a.lane[k] - b.lane[k]; });
}
SIMD_INLINE Pack operator*(const Pack& a, const Pack& b) {
  return each([&](int k) { return a.lane[k] * b.lane[k]; });
}
SIMD_INLINE Pack fma(const Pack& a, const Pack& b, const Pack& c) {
  return each([&](int k) { return std::fma(a.lane[k], b.lane[k], c.lane[k]); });
}
SIMD_INLINE Pack fms(const Pack& a, const Pack& b, const Pack& c) { // a b - c
  return each([&](int k) { return std::fma(a.lane[k], b.lane[k], -c.lane[k]); });
}
SIMD_INLINE Pack abs(const Pack& a) {
  return each([&](int k) { return std::fabs(a.lane[k]); });
}
SIMD_INLINE Pack max(const Pack& a, const Pack& b) {
  return each([&](int k) { return a.lane[k] > b.lane[k] ? a.lane[k] : b.lane[k]; });
}
SIMD_INLINE bool all_at_most(const Pack& a, double most) { // no, if one of them is NaN
  bool all = true;
  for (const double one : a.lane) all = all && one <= most;
  return all;
}
// a 2^k, for 2^k that is neither too large nor too small for a double; shifted: k + 3 2^51, whose last bits are those
// of k.
SIMD_INLINE Pack times_power(const Pack& a, const Pack& shifted) {
  return each([&](int k) {
    return a.lane[k] * std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted.lane[k]) + 1023) << 52);
  });
}
SIMD_INLINE double fma(double a, double b, double c) {
  return std::fma(a, b, c);
}

// Packs of doubles, or of twice as many floats.
template <class Number>
struct PackOf {
  Number lane[64 / sizeof(Number)];
};
template <class Number, class F>
SIMD_INLINE PackOf<Number> each_of(F f) {
  PackOf<Number> out;
  for (std::size_t k = 0; k < std::size(out.lane); ++k) out.lane[k] = f(k);
  return out;
}
template <class Number>
SIMD_INLINE PackOf<Number> zero_of() {
  return {};
}
template <class Number>
SIMD_INLINE PackOf<Number> set_of(Number a) {
  return each_of<Number>([=](std::size_t) { return a; });
}
template <class Number>
SIMD_INLINE PackOf<Number> load_of(const Number* from) {
  return each_of<Number>([=](std::size_t k) { return from[k]; });
}
template <class Number>
SIMD_INLINE void store_of(const PackOf<Number>& a, Number* to) {
  for (std::size_t k = 0; k < std::size(a.lane); ++k) to[k] = a.lane[k];
}
template <class Number>
SIMD_INLINE PackOf<Number> fma_of(const PackOf<Number>& a, const PackOf<Number>& b, const PackOf<Number>& c) {
  return each_of<Number>([&](std::size_t k) { return std::fma(a.lane[k], b.lane[k], c.lane[k]); });
}
SIMD_INLINE PackOf<float> operator+(const PackOf<float>& a, const PackOf<float>& b) {
  return each_of<float>([&](std::size_t k) { return a.lane[k] + b.lane[k]; });
}
SIMD_INLINE PackOf<float> operator-(const PackOf<float>& a, const PackOf<float>& b) {
  return each_of<float>([&](std::size_t k) { return a.lane[k] - b.lane[k]; });
}
SIMD_INLINE PackOf<float> operator*(const PackOf<float>& a, const PackOf<float>& b) {
  return each_of<float>([&](std::size_t k) { return a.lane[k] * b.lane[k]; });
}
SIMD_INLINE PackOf<float> max_of(const PackOf<float>& a, const PackOf<float>& b) {
  return each_of<float>([&](std::size_t k) { return a.lane[k] > b.lane[k] ? a.lane[k] : b.lane[k]; });
}
// a 2^k, for 2^k that is neither too large nor too small for a float; shifted: k + 3 2^22.
SIMD_INLINE PackOf<float> times_float_power(const PackOf<float>& a, const PackOf<float>& shifted) {
  return each_of<float>([&](std::size_t k) {
    return a.lane[k] * std::bit_cast<float>((std::bit_cast<std::uint32_t>(shifted.lane[k]) + 127) << 23);
  });
}

} // namespace
} // namespace recta::simd
