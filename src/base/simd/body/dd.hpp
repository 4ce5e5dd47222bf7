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

// Sums are long chains: four columns side by side keep the processor busy. Column j + q begins q lower, at its own
// diagonal, so that nothing above the diagonal is touched.
constexpr int kSide = 4;

// Rows of `cols` numbers, and what the products of their columns are added to.
struct DdGram {
  Index rows, cols;
  ConstPairs x;
  Pairs c;
  Index stride;
};

template <bool Low>
inline void dd_gram_tile(const DdGram& gram, Index i, Index j) {
  const auto [rows, cols, x, c, stride] = gram;
  Sum2<Pack> sum[kSide];
  const auto at = [=](int q) { return (j + q) * stride + i + q; };
  const auto left = [=](int q) { return j + q < cols ? cols - i - q : 0; };
  for (int q = 0; q < kSide; ++q)
    sum[q] = left(q) > 0 ? take2(c.high + at(q), c.low + at(q), left(q)) : Sum2<Pack>{zero(), zero()};
  for (Index r = 0; r < rows; ++r) {
    const double* row = x.high + r * cols;
    for (int q = 0; q < kSide; ++q) {
      if (left(q) <= 0) continue;
      const Pack xi = take(row + i + q, 1, left(q)), xj = set(row[j + q]);
      Sum2<Pack> product = two_prod(xi, xj);
      if constexpr (Low) {
        const double* low = x.low + r * cols;
        product = dd_product(Sum2<Pack>{xi, take(low + i + q, 1, left(q))}, Sum2<Pack>{xj, set(low[j + q])});
      }
      sum[q] = dd_sum(sum[q], product);
    }
  }
  for (int q = 0; q < kSide; ++q)
    if (left(q) > 0) put2(sum[q], c.high + at(q), c.low + at(q), left(q));
}

void dd_gram(Index rows, Index cols, ConstPairs x, Pairs c, Index stride) {
  const DdGram gram{rows, cols, x, c, stride};
  for (Index j = 0; j < cols; j += kSide)
    for (Index i = j; i < cols; i += kWidth) {
      if (x.low)
        dd_gram_tile<true>(gram, i, j);
      else
        dd_gram_tile<false>(gram, i, j);
    }
}

} // namespace
} // namespace recta::simd
