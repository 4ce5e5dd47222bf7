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

void panel_products(DoubleRows x, const double* panel, DoubleOutRows out) {
  constexpr int kRows = kParts == 1 ? 16 : 4; // as many accumulators as there are registers to spare
  Index i = 0;
  for (; i + kRows <= x.rows; i += kRows)
    panel_rows<kRows>(x.cols, x.first + i * x.stride, x.stride, panel, out.first + i * out.stride, out.stride);
  for (; i < x.rows; ++i)
    panel_rows<1>(x.cols, x.first + i * x.stride, x.stride, panel, out.first + i * out.stride, out.stride);
}

// The registers that a block of rows and panels is summed up in: as many as there are to spare, and few enough numbers
// to load for each product.
constexpr int kBlockRows = kParts == 1 ? 8 : 4, kBlockPanels = kParts == 1 ? 3 : 1;

template <class Number>
constexpr Index kLanesOf = 64 / sizeof(Number); // columns of a panel
template <class Number>
constexpr Index kWidthOf = kLanesOf<Number> / kParts;

// The first `Rows` of the rows x. Goes on from what stands in `out` unless these are the first columns.
template <int Rows, int Count, class Number>
SIMD_INLINE void block_of_panels(RowsOf<Number> x, const PanelsOf<Number>& panels, bool first, OutRowsOf<Number> out) {
  constexpr Index kAcross = kLanesOf<Number>, kWide = kWidthOf<Number>;
  PackOf<Number> acc[Rows][Count][kParts];
  for (int r = 0; r < Rows; ++r)
    for (int q = 0; q < Count; ++q)
      for (Index h = 0; h < kParts; ++h)
        acc[r][q][h] = first ? zero_of<Number>() : load_of(out.first + r * out.stride + q * kAcross + h * kWide);
  for (Index j = 0; j < x.cols; ++j) {
    PackOf<Number> beside[Count][kParts];
    for (int q = 0; q < Count; ++q)
      for (Index h = 0; h < kParts; ++h)
        beside[q][h] = load_of(panels.first + q * panels.stride + j * kAcross + h * kWide);
    for (int r = 0; r < Rows; ++r) {
      const PackOf<Number> one = set_of(x.first[r * x.stride + j]);
      for (int q = 0; q < Count; ++q)
        for (Index h = 0; h < kParts; ++h) acc[r][q][h] = fma_of<Number>(one, beside[q][h], acc[r][q][h]);
    }
  }
  for (int r = 0; r < Rows; ++r)
    for (int q = 0; q < Count; ++q)
      for (Index h = 0; h < kParts; ++h)
        store_of<Number>(acc[r][q][h], out.first + r * out.stride + q * kAcross + h * kWide);
}

template <int Count, class Number>
SIMD_INLINE void all_rows_by_panels(RowsOf<Number> x, const PanelsOf<Number>& panels, bool first,
                                    OutRowsOf<Number> out) {
  for (; x.rows >= kBlockRows; x.rows -= kBlockRows, x.first += kBlockRows * x.stride) {
    block_of_panels<kBlockRows, Count>(x, panels, first, out);
    out.first += kBlockRows * out.stride;
  }
  for (; x.rows > 0; --x.rows, x.first += x.stride, out.first += out.stride)
    block_of_panels<1, Count>(x, panels, first, out);
}

// A few columns at a time: that much of a few panels, and of a few rows, stays in the fastest cache while all rows pass
// by.
template <class Number>
SIMD_INLINE void products_by_panels(RowsOf<Number> x, const PanelsOf<Number>& panels, OutRowsOf<Number> out) {
  constexpr Index kDeep = 64, kAcross = kLanesOf<Number>;
  for (Index from = 0; from < x.cols || from == 0; from += kDeep) {
    const Index deep = x.cols - from < kDeep ? x.cols - from : kDeep;
    const RowsOf<Number> some{x.first + from, x.rows, deep, x.stride};
    PanelsOf<Number> part{panels.first + from * kAcross, panels.stride, panels.count};
    OutRowsOf<Number> to = out;
    for (; part.count >= kBlockPanels; part.count -= kBlockPanels) {
      all_rows_by_panels<kBlockPanels>(some, part, from == 0, to);
      part.first += kBlockPanels * part.stride, to.first += kBlockPanels * kAcross;
    }
    for (; part.count > 0; --part.count, part.first += part.stride, to.first += kAcross)
      all_rows_by_panels<1>(some, part, from == 0, to);
  }
}

void many_panel_products(DoubleRows x, const Panels& panels, DoubleOutRows out) {
  products_by_panels(x, panels, out);
}
void many_float_panel_products(FloatRows x, const FloatPanels& panels, FloatOutRows out) {
  products_by_panels(x, panels, out);
}

} // namespace
} // namespace recta::simd
