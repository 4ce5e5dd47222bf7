// Double-double arrays: joining the Gram matrices of blocks, and the Gram matrix in extended precision. Every element
// is its own sum in a fixed order; lanes are only neighbours.
#pragma once

#include "base/simd/body/exact.hpp"
#include "base/simd/body/layout.hpp"

namespace recta::simd {
namespace {

SIMD_INLINE Sum2<Pack> take2(const double* high, const double* low, Index n) {
  return {take(high, 1, n), low ? take(low, 1, n) : zero()};
}
SIMD_INLINE void put2(const Sum2<Pack>& a, double* high, double* low, Index n) {
  put(a.high, high, n);
  put(a.low, low, n);
}

void dd_add(Index n, Pairs a, ConstPairs b) {
  for (Index k = 0; k < n; k += kWidth) {
    const Sum2<Pack> sum = take2(a.high + k, a.low + k, n - k);
    const Pack high = take(b.high + k, 1, n - k);
    put2(b.low ? dd_sum(sum, {high, take(b.low + k, 1, n - k)}) : dd_sum(sum, high), a.high + k, a.low + k, n - k);
  }
}

void dd_rank_one(Index n, ConstPairs d, double f, double f_low, Pairs c, Index stride) {
  for (Index j = 0; j < n; ++j) {
    const Sum2<double> dj = {d.high[j], d.low ? d.low[j] : 0.0};
    const Sum2<double> t = dd_product(dj, Sum2<double>{f, f_low});
    const Sum2<Pack> tj = {set(t.high), set(t.low)};
    double* high = c.high + j * stride;
    double* low = c.low + j * stride;
    for (Index i = j; i < n; i += kWidth) {
      const Sum2<Pack> di = take2(d.high + i, d.low ? d.low + i : nullptr, n - i);
      put2(dd_sum(take2(high + i, low + i, n - i), dd_product(di, tj)), high + i, low + i, n - i);
    }
  }
}

template <bool Low>
SIMD_INLINE void dd_gram_tile(Index rows, Index cols, ConstPairs x, Pairs c, Index i, Index j) {
  const Index n = cols - i;
  Sum2<Pack> sum = take2(c.high, c.low, n);
  for (Index r = 0; r < rows; ++r) {
    const double* row = x.high + r * cols;
    const Pack xi = take(row + i, 1, n), xj = set(row[j]);
    Sum2<Pack> product = two_prod(xi, xj);
    if constexpr (Low) {
      const double* low = x.low + r * cols;
      product = dd_product(Sum2<Pack>{xi, take(low + i, 1, n)}, Sum2<Pack>{xj, set(low[j])});
    }
    sum = dd_sum(sum, product);
  }
  put2(sum, c.high, c.low, n);
}

void dd_gram(Index rows, Index cols, ConstPairs x, Pairs c, Index stride) {
  for (Index j = 0; j < cols; ++j)
    for (Index i = j; i < cols; i += kWidth) {
      const Pairs at = {c.high + i + j * stride, c.low + i + j * stride};
      if (x.low)
        dd_gram_tile<true>(rows, cols, x, at, i, j);
      else
        dd_gram_tile<false>(rows, cols, x, at, i, j);
    }
}

} // namespace
} // namespace recta::simd
