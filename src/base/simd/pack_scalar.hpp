// Eight lanes as an array, for processors that no other level fits, and as the reference for all of them. std::fma is
// one rounding even where the processor has no such instruction (it is slow there).
#pragma once

#include "base/simd/kernels.hpp"

#include <cmath>

namespace recta::simd {
namespace {

struct Pack {
  double lane[kLanes];
};

template <class F>
inline Pack each(F f) {
  Pack out;
  for (int k = 0; k < kLanes; ++k) out.lane[k] = f(k);
  return out;
}

inline Pack zero() {
  return Pack{};
}
inline Pack set(double a) {
  return each([=](int) { return a; });
}
template <class T>
inline Pack load(const T* from) {
  return each([=](int k) { return static_cast<double>(from[k]); });
}
// The first `count` < 8 numbers, and zeros.
template <class T>
inline Pack load_part(const T* from, Index count) {
  return each([=](int k) { return k < count ? static_cast<double>(from[k]) : 0.0; });
}
inline void store(const Pack& a, double* to) {
  for (int k = 0; k < kLanes; ++k) to[k] = a.lane[k];
}
inline void store_part(const Pack& a, double* to, Index count) {
  for (int k = 0; k < count; ++k) to[k] = a.lane[k];
}

inline Pack operator+(const Pack& a, const Pack& b) {
  return each([&](int k) { return a.lane[k] + b.lane[k]; });
}
inline Pack operator-(const Pack& a, const Pack& b) {
  return each([&](int k) { return a.lane[k] - b.lane[k]; });
}
inline Pack operator*(const Pack& a, const Pack& b) {
  return each([&](int k) { return a.lane[k] * b.lane[k]; });
}
inline Pack fma(const Pack& a, const Pack& b, const Pack& c) {
  return each([&](int k) { return std::fma(a.lane[k], b.lane[k], c.lane[k]); });
}
inline Pack fms(const Pack& a, const Pack& b, const Pack& c) { // a b - c
  return each([&](int k) { return std::fma(a.lane[k], b.lane[k], -c.lane[k]); });
}
inline Pack abs(const Pack& a) {
  return each([&](int k) { return std::fabs(a.lane[k]); });
}
inline double fma(double a, double b, double c) {
  return std::fma(a, b, c);
}

} // namespace
} // namespace recta::simd
