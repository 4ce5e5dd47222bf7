// sum_k beta_k v_k and sum_k |beta_k v_k| of several rows of v, each in eight lanes that are joined in one order: a row
// has the same bits whatever rows stand beside it.
#pragma once

#include "base/simd/body/exact.hpp"
#include "base/simd/body/layout.hpp"

namespace recta::simd {
namespace {

template <int Rows>
SIMD_INLINE void term_sums_of(Index n, const double* beta, const double* values, Index stride, double* sums,
                              double* sizes) {
  Pack sum[Rows][kParts], size[Rows][kParts];
  for (int r = 0; r < Rows; ++r)
    for (Index h = 0; h < kParts; ++h) sum[r][h] = zero(), size[r][h] = zero();
  const auto add = [&](Index k, Index h, Index count) {
    const Pack factor = take(beta + k, 1, count), large = abs(factor);
    for (int r = 0; r < Rows; ++r) {
      const Pack v = take(values + r * stride + k, 1, count);
      sum[r][h] = fma(factor, v, sum[r][h]);
      size[r][h] = fma(large, abs(v), size[r][h]);
    }
  };
  Index k = 0;
  for (; k + kLanes <= n; k += kLanes)
    for (Index h = 0; h < kParts; ++h) add(k + h * kWidth, h, kWidth);
  for (Index h = 0; k < n; ++h, k += kWidth) add(k, h, n - k);
  for (int r = 0; r < Rows; ++r) sums[r] = lane_sum(sum[r]), sizes[r] = lane_sum(size[r]);
}

void term_sums(DoubleRows values, const double* beta, double* sums, double* sizes) {
  constexpr int kRows = 4;
  Index r = 0;
  for (; r + kRows <= values.rows; r += kRows)
    term_sums_of<kRows>(values.cols, beta, values.first + r * values.stride, values.stride, sums + r, sizes + r);
  for (; r < values.rows; ++r)
    term_sums_of<1>(values.cols, beta, values.first + r * values.stride, values.stride, sums + r, sizes + r);
}

} // namespace
} // namespace recta::simd
