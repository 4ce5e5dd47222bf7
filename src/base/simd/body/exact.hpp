// Error-free steps and double-double sums over packs, and the one tree that joins eight lanes. The formulas are those
// of base/double_double.hpp, which is not included here: its functions would be compiled for this instruction set and
// could then be linked into code for a lesser one.
#pragma once

#include "base/simd/kernels.hpp"

namespace recta::simd {
namespace {

template <class V>
struct Sum2 { // a number, or a pack of them, with its rounding error
  V high, low;
};

template <class V>
SIMD_INLINE Sum2<V> two_sum(const V& a, const V& b) {
  const V s = a + b;
  const V from_a = s - b;
  const V from_b = s - from_a;
  return {s, (a - from_a) + (b - from_b)};
}
template <class V>
SIMD_INLINE Sum2<V> fast_two_sum(const V& a, const V& b) {
  const V s = a + b;
  return {s, b - (s - a)};
}
SIMD_INLINE double fms(double a, double b, double c) {
  return fma(a, b, -c);
}

template <class V>
SIMD_INLINE Sum2<V> two_prod(const V& a, const V& b) {
  const V p = a * b;
  return {p, fms(a, b, p)};
}
template <class V>
SIMD_INLINE Sum2<V> dd_sum(const Sum2<V>& a, const Sum2<V>& b) {
  const Sum2<V> s = two_sum(a.high, b.high);
  const Sum2<V> t = two_sum(a.low, b.low);
  const Sum2<V> v = fast_two_sum(s.high, s.low + t.high);
  return fast_two_sum(v.high, t.low + v.low);
}
template <class V>
SIMD_INLINE Sum2<V> dd_sum(const Sum2<V>& a, const V& b) {
  const Sum2<V> s = two_sum(a.high, b);
  return fast_two_sum(s.high, a.low + s.low);
}
template <class V>
SIMD_INLINE Sum2<V> dd_product(const Sum2<V>& a, const Sum2<V>& b) {
  const Sum2<V> c = two_prod(a.high, b.high);
  const V low = fma(a.low, b.high, fma(a.high, b.low, a.low * b.low));
  return fast_two_sum(c.high, c.low + low);
}

// Joins lanes 0..7 in their tree. V is a number, or a pack if acc[k] is lane k of eight sums.
template <class V, class Add>
SIMD_INLINE V tree(const V* acc, Add add) {
  return add(add(add(acc[0], acc[4]), add(acc[2], acc[6])), add(add(acc[1], acc[5]), add(acc[3], acc[7])));
}
constexpr Index kParts = kLanes / kWidth; // packs that make up the eight lanes

// The sum of eight lanes held in kParts packs. 0 is added at the end: the sign of a zero sum must not tell an absent
// number from a zero.
SIMD_INLINE double lane_sum(const Pack* a) {
  double lane[kLanes];
  for (Index h = 0; h < kParts; ++h) store(a[h], lane + h * kWidth);
  return tree(lane, [](double x, double y) { return x + y; }) + 0.0;
}

// One compensated sum per lane (Dot2).
template <class V>
struct Compensated {
  V sum, error;

  SIMD_INLINE void add_product(const V& a, const V& b) {
    const Sum2<V> p = two_prod(a, b);
    const Sum2<V> s = two_sum(sum, p.high);
    sum = s.high;
    error = error + (p.low + s.low);
  }
  SIMD_INLINE void add_low(const V& a, const V& b) { error = fma(a, b, error); }
};
template <class V>
SIMD_INLINE Compensated<V> join(const Compensated<V>& a, const Compensated<V>& b) {
  const Sum2<V> s = two_sum(a.sum, b.sum);
  return {s.high, s.low + (a.error + b.error)};
}
// If the sum overflowed, its error is NaN and the pair is (sum, NaN): callers refuse numbers that are not finite.
template <class V>
SIMD_INLINE Sum2<V> finish(const Compensated<V>& a, const V& nothing) {
  const Sum2<V> s = two_sum(a.sum, a.error);
  return {s.high + nothing, s.low + nothing};
}
SIMD_INLINE Sum2<double> finish_lanes(const Compensated<Pack>* a) {
  double sum[kLanes], error[kLanes];
  for (Index h = 0; h < kParts; ++h) {
    store(a[h].sum, sum + h * kWidth);
    store(a[h].error, error + h * kWidth);
  }
  // The tree adds half of the lanes to the other half: 4, 2, 1 at once.
  for (int half = kLanes / 2; half > 0; half /= 2)
    for (int k = 0; k < half; ++k) {
      const Compensated<double> both = join(Compensated<double>{sum[k], error[k]}, {sum[k + half], error[k + half]});
      sum[k] = both.sum;
      error[k] = both.error;
    }
  return finish(Compensated<double>{sum[0], error[0]}, 0.0);
}

} // namespace
} // namespace recta::simd
