// out_ik = sum_j x_ij panel_jk for the eight columns k of a panel, which lie side by side for every j: a matrix product
// in which every number is one chain of fma in the order of j. A row's products therefore have the same bits whatever
// rows stand beside it. Several rows at a time, so that enough chains are in flight.
#pragma once

#include "base/simd/body/exact.hpp"
#include "base/simd/body/layout.hpp"

namespace recta::simd {
namespace {

template <int Rows>
SIMD_INLINE void panel_rows(Index cols, const double* x, Index stride, const double* panel, double* out,
                            Index out_stride) {
  Pack acc[Rows][kParts];
  for (int r = 0; r < Rows; ++r)
    for (Index h = 0; h < kParts; ++h) acc[r][h] = zero();
  for (Index j = 0; j < cols; ++j, panel += kLanes)
    for (Index h = 0; h < kParts; ++h) {
      const Pack beside = load(panel + h * kWidth);
      for (int r = 0; r < Rows; ++r) acc[r][h] = fma(set(x[r * stride + j]), beside, acc[r][h]);
    }
  for (int r = 0; r < Rows; ++r)
    for (Index h = 0; h < kParts; ++h) store(acc[r][h], out + r * out_stride + h * kWidth);
}

void panel_products(Index rows, Index cols, const double* x, Index stride, const double* panel, double* out,
                    Index out_stride) {
  constexpr int kRows = kParts == 1 ? 16 : 4; // as many accumulators as there are registers to spare
  Index i = 0;
  for (; i + kRows <= rows; i += kRows)
    panel_rows<kRows>(cols, x + i * stride, stride, panel, out + i * out_stride, out_stride);
  for (; i < rows; ++i) panel_rows<1>(cols, x + i * stride, stride, panel, out + i * out_stride, out_stride);
}

} // namespace
} // namespace recta::simd
