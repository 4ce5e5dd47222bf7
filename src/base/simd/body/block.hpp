// Copies a block of rows for a matrix product, (x - centre) * scale, and searches it for NaN, infinity and the largest
// number.
#pragma once

#include "base/simd/body/exact.hpp"
#include "base/simd/body/layout.hpp"

namespace recta::simd {
namespace {

struct CopyPlan {
  const double* centre;
  const double* scale;
  double* out;
  Index row_stride, col_stride;
};

// Copies a run of numbers in one direction, along which one of centre and scale is constant and the other is a vector.
template <class B>
inline void copy_row(const B& x, Index i, const CopyPlan& plan) {
  double* to = plan.out + i * plan.row_stride;
  const Pack s = set(plan.scale ? plan.scale[i] : 1.0);
  for (Index j = 0; j < x.cols; j += kWidth) {
    const Index left = x.cols - j;
    Pack value = take(x.at(i, j), x.step(), left);
    if (plan.centre) value = value - take(plan.centre + j, 1, left);
    if (plan.scale) value = value * s;
    put(value, to + j, left);
  }
}
template <class B>
inline void copy_column(const B& x, Index i, Index n, Index j, const CopyPlan& plan) {
  double* to = plan.out + i + j * plan.col_stride;
  const Pack c = set(plan.centre ? plan.centre[j] : 0.0);
  for (Index k = 0; k < n; k += kWidth) {
    const Index left = n - k;
    Pack value = take(x.at(i + k, j), x.row_stride, left);
    if (plan.centre) value = value - c;
    if (plan.scale) value = value * take(plan.scale + i + k, 1, left);
    put(value, to + k, left);
  }
}

// If the layouts differ (by row into by column or back), sixteen rows are copied at a time, so that a cache line is
// used completely while it is near.
void centred_copy(const MatrixView& view, const double* centre, const double* scale, double* out, Index row_stride,
                  Index col_stride) {
  const CopyPlan plan = {centre, scale, out, row_stride, col_stride};
  with_block(view, [&](const auto& x) {
    if (col_stride == 1 && (x.kByRow || row_stride != 1)) {
      for (Index i = 0; i < x.rows; ++i) copy_row(x, i, plan);
      return;
    }
    const Index run = x.by_column() ? x.rows : 16;
    for (Index i = 0; i < x.rows; i += run)
      for (Index j = 0; j < x.cols; ++j) copy_column(x, i, x.rows - i < run ? x.rows - i : run, j, plan);
  });
}

// Calls see(from, stride, count) for stretches that together hold every number of x, until one call returns false.
template <class B, class F>
inline bool every_stretch(const B& x, F see) {
  const bool rows = x.kByRow, whole = rows && x.row_stride == x.cols;
  const Index stretches = whole ? 1 : rows ? x.rows : x.cols;
  const Index n = whole ? x.rows * x.cols : rows ? x.cols : x.rows, stride = rows ? 1 : x.row_stride;
  for (Index s = 0; s < stretches; ++s) {
    const Index i = rows ? s : 0, j = rows ? 0 : s;
    if (!see(x.at(i, j), stride, n)) return false;
    if (x.low && !see(x.low_at(i, j), stride, n)) return false;
  }
  return true;
}

// 0 * a is 0 for every number and NaN for infinity and NaN, and a NaN stays in a sum.
template <class T>
inline bool finite_stretch(const T* from, Index stride, Index n) {
  constexpr Index kChains = 4;
  Pack sum[kChains] = {zero(), zero(), zero(), zero()};
  const Pack nothing = zero();
  Index k = 0;
  for (; k + kChains * kWidth <= n; k += kChains * kWidth)
    for (Index c = 0; c < kChains; ++c)
      sum[c] = fma(take(from + (k + c * kWidth) * stride, stride, kWidth), nothing, sum[c]);
  for (; k < n; k += kWidth) sum[0] = fma(take(from + k * stride, stride, n - k), nothing, sum[0]);
  double place[kWidth], all = 0;
  store((sum[0] + sum[1]) + (sum[2] + sum[3]), place);
  for (double one : place) all += one;
  return all == 0;
}

bool all_finite(const MatrixView& view) {
  bool finite = true;
  with_block(view, [&](const auto& x) {
    finite = every_stretch(x, [](const auto* from, Index stride, Index n) { return finite_stretch(from, stride, n); });
  });
  return finite;
}

double largest_size(const MatrixView& view) {
  constexpr Index kChains = 4;
  Pack most[kChains] = {zero(), zero(), zero(), zero()};
  with_block(view, [&](const auto& x) {
    every_stretch(x, [&](const auto* from, Index stride, Index n) {
      Index k = 0;
      for (; k + kChains * kWidth <= n; k += kChains * kWidth)
        for (Index c = 0; c < kChains; ++c)
          most[c] = max(abs(take(from + (k + c * kWidth) * stride, stride, kWidth)), most[c]);
      for (; k < n; k += kWidth) most[0] = max(abs(take(from + k * stride, stride, n - k)), most[0]);
      return true;
    });
  });
  double place[kWidth], all = 0;
  store(max(max(most[0], most[1]), max(most[2], most[3])), place);
  for (double one : place) all = one > all ? one : all;
  return all;
}

} // namespace
} // namespace recta::simd
