// The compensated z_i = sum_j x_ij w_j, lane j mod 8, in the shapes of row_dots.hpp. Low-order parts add x_low w and
// x w_low to the error; x_low w_low is below what is kept.
#pragma once

#include "base/simd/body/exact.hpp"
#include "base/simd/body/layout.hpp"

namespace recta::simd {
namespace {

// One pack of columns of one row.
template <class B>
SIMD_INLINE void add_pack2(Compensated<Pack>& acc, const B& x, Index i, Index j, const Pack& wj, ConstPairs w) {
  const Index left = x.cols - j;
  const Pack xj = take(x.at(i, j), x.step(), left);
  acc.add_product(xj, wj);
  if (w.low) acc.add_low(xj, take(w.low + j, 1, left));
  if (x.low) acc.add_low(take(x.low_at(i, j), x.step(), left), wj);
}

template <int Rows, class B>
inline void dots2_by_row(const B& x, Index i, ConstPairs w, Pairs z) {
  Compensated<Pack> acc[Rows][kParts];
  for (int r = 0; r < Rows; ++r)
    for (Index h = 0; h < kParts; ++h) acc[r][h] = {zero(), zero()};
  for (Index j = 0; j < x.cols; j += kLanes)
    for (Index h = 0; h < kParts; ++h) {
      const Index at = j + h * kWidth;
      const Pack wj = take(w.high + at, 1, x.cols - at);
      for (int r = 0; r < Rows; ++r) {
        // The arithmetic fills the processor's window, so that it does not look ahead by itself. A prefetch past the
        // end of the memory does nothing.
        if (h == 0) __builtin_prefetch(x.at(i + r, at) + 2 * Rows * x.row_stride);
        add_pack2(acc[r][h], x, i + r, at, wj, w);
      }
    }
  for (int r = 0; r < Rows; ++r) {
    const Sum2<double> sum = finish_lanes(acc[r]);
    z.high[i + r] = sum.high;
    z.low[i + r] = sum.low;
  }
}

constexpr Index kTile2 = 128;
struct Tile2 {
  alignas(64) double sum[kLanes][kTile2] = {};
  alignas(64) double error[kLanes][kTile2] = {};
};

template <int Columns, class B>
inline void add_columns2(const B& x, Index i, Index n, Index j, ConstPairs w, Tile2& tile) {
  const Index lane = j % kLanes;
  Pack high[Columns], low[Columns];
  for (int c = 0; c < Columns; ++c) {
    high[c] = set(w.high[j + c * kLanes]);
    low[c] = w.low ? set(w.low[j + c * kLanes]) : zero();
  }
  for (Index k = 0; k < n; k += kWidth) {
    Compensated<Pack> acc = {load(tile.sum[lane] + k), load(tile.error[lane] + k)};
    for (int c = 0; c < Columns; ++c) {
      const Pack xk = take(x.at(i + k, j + c * kLanes), 1, n - k);
      acc.add_product(xk, high[c]);
      if (w.low) acc.add_low(xk, low[c]);
      if (x.low) acc.add_low(take(x.low_at(i + k, j + c * kLanes), 1, n - k), high[c]);
    }
    store(acc.sum, tile.sum[lane] + k);
    store(acc.error, tile.error[lane] + k);
  }
}

template <class B>
inline void dots2_by_column(const B& x, Index i, Index n, ConstPairs w, Pairs z) {
  Tile2 tile;
  for (Index lane = 0; lane < kLanes; ++lane) {
    Index j = lane;
    for (; j + 3 * kLanes < x.cols; j += 4 * kLanes) add_columns2<4>(x, i, n, j, w, tile);
    for (; j < x.cols; j += kLanes) add_columns2<1>(x, i, n, j, w, tile);
  }
  for (Index k = 0; k < n; k += kWidth) {
    Compensated<Pack> lanes[kLanes];
    for (Index lane = 0; lane < kLanes; ++lane) lanes[lane] = {load(tile.sum[lane] + k), load(tile.error[lane] + k)};
    const auto sum = finish(tree(lanes, [](const auto& a, const auto& b) { return join(a, b); }), zero());
    put(sum.high, z.high + i + k, n - k);
    put(sum.low, z.low + i + k, n - k);
  }
}

void row_dots2(const MatrixView& view, ConstPairs w, Pairs z) {
  with_block(view, [&](const auto& x) {
    Index i = 0;
    if (x.by_column() && !x.kByRow) {
      for (; i < x.rows; i += kTile2) dots2_by_column(x, i, x.rows - i < kTile2 ? x.rows - i : kTile2, w, z);
    } else {
      for (; i + 4 <= x.rows; i += 4) dots2_by_row<4>(x, i, w, z);
      for (; i < x.rows; ++i) dots2_by_row<1>(x, i, w, z);
    }
  });
}

} // namespace
} // namespace recta::simd
