// z_i = sum_j x_ij w_j, lane j mod 8, and the largest |x_ij| on the way if asked for.
//
// By row: four rows at a time, so that four chains of fma are in flight; the hardware prefetcher fails where rows end,
// so the next rows are prefetched explicitly. By column: a tile of rows at a time, lane after lane, four columns of a
// lane at a time (only their order inside the lane counts), so that memory is read in long stretches and sums are
// written once per four columns.
#pragma once

#include "base/simd/body/block.hpp"
#include "base/simd/body/exact.hpp"
#include "base/simd/body/layout.hpp"

namespace recta::simd {
namespace {

struct NothingKept {
  SIMD_INLINE void see(int, const Pack&) {}
};
struct LargestKept {
  Pack most[4] = {zero(), zero(), zero(), zero()}; // a chain for each of four rows
  SIMD_INLINE void see(int row, const Pack& x) { most[row] = max(abs(x), most[row]); }
  double largest() const {
    double place[kWidth], all = 0;
    store(max(max(most[0], most[1]), max(most[2], most[3])), place);
    for (double one : place) all = one > all ? one : all;
    return all;
  }
};

template <int Rows, class B, class Kept>
SIMD_INLINE void dots_by_row(const B& x, Index i, const double* w, double* z, Kept& kept) {
  Pack acc[Rows][kParts];
  decltype(x.data) row[Rows];
  for (int r = 0; r < Rows; ++r) {
    for (Index h = 0; h < kParts; ++h) acc[r][h] = zero();
    row[r] = x.at(i + r, 0);
  }
  const auto ahead = x.at(i + Rows, 0) - row[0]; // of the rows that come next, which are prefetched meanwhile
  Index j = 0;
  for (; j + kLanes <= x.cols; j += kLanes)
    for (Index h = 0; h < kParts; ++h) {
      const Pack wj = load(w + j + h * kWidth);
      for (int r = 0; r < Rows; ++r) {
        const Pack xj = load(row[r] + j + h * kWidth);
        if (h == 0) __builtin_prefetch(row[r] + j + ahead);
        acc[r][h] = fma(xj, wj, acc[r][h]);
        kept.see(r, xj);
      }
    }
  if (j < x.cols)
    for (Index h = 0; h < kParts; ++h) {
      const Index at = j + h * kWidth, left = x.cols - at;
      const Pack wj = take(w + at, 1, left);
      for (int r = 0; r < Rows; ++r) {
        const Pack xj = take(row[r] + at, 1, left);
        acc[r][h] = fma(xj, wj, acc[r][h]);
        kept.see(r, xj);
      }
    }
  for (int r = 0; r < Rows; ++r) z[i + r] = lane_sum(acc[r]);
}

// acc += x_j w_j over the columns j, j + 8, ... of one lane, `columns` of them.
template <int Columns, class B>
inline void add_columns(const B& x, Index i, Index n, Index j, const double* w, double* acc) {
  Pack wj[Columns];
  for (int c = 0; c < Columns; ++c) wj[c] = set(w[j + c * kLanes]);
  for (Index k = 0; k < n; k += kWidth) {
    Pack sum = load(acc + k);
    for (int c = 0; c < Columns; ++c) sum = fma(take(x.at(i + k, j + c * kLanes), 1, n - k), wj[c], sum);
    store(sum, acc + k);
  }
}

template <class B>
inline void dots_by_column(const B& x, Index i, Index n, const double* w, double* z) {
  constexpr Index kTile = 512;
  alignas(64) double acc[kLanes][kTile] = {};
  for (Index lane = 0; lane < kLanes; ++lane) {
    Index j = lane;
    for (; j + 3 * kLanes < x.cols; j += 4 * kLanes) add_columns<4>(x, i, n, j, w, acc[lane]);
    for (; j < x.cols; j += kLanes) add_columns<1>(x, i, n, j, w, acc[lane]);
  }
  for (Index k = 0; k < n; k += kWidth) {
    Pack lanes[kLanes];
    for (Index lane = 0; lane < kLanes; ++lane) lanes[lane] = load(acc[lane] + k);
    put(tree(lanes, [](const Pack& a, const Pack& b) { return a + b; }) + zero(), z + i + k, n - k);
  }
}

template <class B>
inline double dot_strided(const B& x, Index i, const double* w) {
  Pack acc[kParts];
  for (Index h = 0; h < kParts; ++h) acc[h] = zero();
  for (Index j = 0; j < x.cols; j += kLanes)
    for (Index h = 0; h < kParts; ++h) {
      const Index at = j + h * kWidth, left = x.cols - at;
      acc[h] = fma(take(x.at(i, at), x.step(), left), take(w + at, 1, left), acc[h]);
    }
  return lane_sum(acc);
}

template <class B, class Kept>
SIMD_INLINE void dots_of_rows(const B& x, const double* w, double* z, Kept& kept) {
  Index i = 0;
  for (; i + 4 <= x.rows; i += 4) dots_by_row<4>(x, i, w, z, kept);
  for (; i < x.rows; ++i) dots_by_row<1>(x, i, w, z, kept);
}

template <class B>
inline void dots_of_columns(const B& x, const double* w, double* z) {
  if (x.by_column()) {
    for (Index i = 0; i < x.rows; i += 512) dots_by_column(x, i, x.rows - i < 512 ? x.rows - i : 512, w, z);
  } else {
    for (Index i = 0; i < x.rows; ++i) z[i] = dot_strided(x, i, w);
  }
}

void row_dots(const MatrixView& view, const double* w, double* z) {
  with_block(view, [&](const auto& x) {
    if constexpr (std::remove_cvref_t<decltype(x)>::kByRow) {
      NothingKept nothing;
      dots_of_rows(x, w, z, nothing);
    } else {
      dots_of_columns(x, w, z);
    }
  });
}

double row_dots_and_largest(const MatrixView& view, const double* w, double* z) {
  double largest = 0;
  with_block(view, [&](const auto& x) {
    if constexpr (std::remove_cvref_t<decltype(x)>::kByRow) {
      LargestKept kept;
      dots_of_rows(x, w, z, kept);
      largest = kept.largest();
    } else {
      dots_of_columns(x, w, z);
      largest = largest_size(view);
    }
  });
  return largest;
}

} // namespace
} // namespace recta::simd
