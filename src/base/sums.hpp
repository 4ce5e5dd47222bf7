// Sums and dot products in a fixed order, so the same numbers give the same bits.
//
//   pairwise     error <= u (7 + log2(n / 128)) sum |x|      128 terms straight, halves above
//   compensated  error <= u |s| + n^2 u^2 sum |x|            every rounding error is caught by two_sum and added at
//                                                            the end (Neumaier 1974; Ogita, Rump, Oishi 2005, Sum2)
//   dot2         error <= u |s| + n^2 u^2 sum |x y|          the same for products (Ogita, Rump, Oishi 2005, Dot2)
// The forms that return DoubleDouble do not round the last sum; its error is then the second term alone.
#pragma once

#include "base/double_double.hpp"

#include <recta/error.hpp>

#include <concepts>
#include <span>

namespace recta {

// Every stride-th number from `data` on.
struct StridedView {
  const double* data = nullptr;
  Index count = 0;
  Index stride = 1;

  StridedView(const double* first, Index n, Index step = 1) : data(first), count(n), stride(step) {}
  template <class Range>
    requires std::convertible_to<const Range&, std::span<const double>>
  StridedView(const Range& values)
      : data(std::span<const double>(values).data()),
        count(static_cast<Index>(std::span<const double>(values).size())) {}
  double operator[](Index i) const { return data[i * stride]; }
  StridedView part(Index first, Index n) const { return {data + first * stride, n, stride}; }
};

inline double pairwise_sum(StridedView x) {
  constexpr Index kStraight = 128;
  if (x.count <= kStraight) {
    double sum = 0;
    for (Index i = 0; i < x.count; ++i) sum += x[i];
    return sum;
  }
  // The cut is a multiple of kStraight: it depends only on the count.
  const Index left = (x.count / kStraight + 1) / 2 * kStraight;
  return pairwise_sum(x.part(0, left)) + pairwise_sum(x.part(left, x.count - left));
}

// A running sum with its rounding errors kept apart.
struct CompensatedSum {
  double sum = 0, error = 0;

  void add(double value) {
    const DoubleDouble s = two_sum(sum, value);
    sum = s.hi;
    error += s.lo;
  }
  void add_product(double a, double b) {
    const DoubleDouble product = two_prod(a, b);
    add(product.hi);
    error += product.lo;
  }
  void add(DoubleDouble value) {
    add(value.hi);
    error += value.lo;
  }
  // An overflow has no error term: the sum is then the infinity (or NaN) itself.
  DoubleDouble total() const { return std::isfinite(error) ? two_sum(sum, error) : DoubleDouble(sum); }
  double value() const { return total().hi; }
};

inline DoubleDouble compensated_sum2(StridedView x) {
  CompensatedSum sum;
  for (Index i = 0; i < x.count; ++i) sum.add(x[i]);
  return sum.total();
}
inline double compensated_sum(StridedView x) {
  return compensated_sum2(x).hi;
}

// Both views have the length of the first.
inline DoubleDouble dot2_unrounded(StridedView x, StridedView y) {
  CompensatedSum sum;
  for (Index i = 0; i < x.count; ++i) sum.add_product(x[i], y[i]);
  return sum.total();
}
inline double dot2(StridedView x, StridedView y) {
  return dot2_unrounded(x, y).hi;
}

} // namespace recta
