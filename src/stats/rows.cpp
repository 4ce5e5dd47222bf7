#include "stats/rows.hpp"

#include "stats/kernels/kernels.hpp"

#include <algorithm>

namespace recta {

namespace {

// Copies by tiles of rows and columns, so that neither reading nor writing takes large steps through memory for long.
template <class T>
void copy(const T* data, const MatrixView& view, std::span<const Index> rows, double* out, Index stride) {
  constexpr Index kTile = 8;
  const Index n = static_cast<Index>(rows.size());
  const bool by_row = view.col_stride == 1 || view.cols == 1;
  const Index width = by_row ? view.cols : kTile;
  for (Index j0 = 0; j0 < view.cols; j0 += width) {
    const Index j1 = std::min(j0 + width, view.cols);
    for (Index i = 0; i < n; ++i) {
      const T* from = data + rows[static_cast<std::size_t>(i)] * view.row_stride;
      double* to = out + i * stride;
      if (view.col_stride == 1)
        std::copy(from + j0, from + j1, to + j0);
      else
        for (Index j = j0; j < j1; ++j) to[j] = static_cast<double>(from[j * view.col_stride]);
    }
  }
}

} // namespace

std::vector<Index> present_rows(const Batch& batch) {
  std::vector<Index> rows;
  rows.reserve(static_cast<std::size_t>(batch.rows()));
  for (Index i = 0; i < batch.rows(); ++i)
    if (batch.weight.empty() || batch.weight[static_cast<std::size_t>(i)] > 0) rows.push_back(i);
  return rows;
}

void gather(const MatrixView& view, std::span<const Index> rows, double* out, Index stride) {
  if (view.scalar == Scalar::float64)
    copy(static_cast<const double*>(view.data), view, rows, out, stride);
  else
    copy(static_cast<const float*>(view.data), view, rows, out, stride);
}

void gather_low(const MatrixView& view, std::span<const Index> rows, double* out, Index stride) {
  if (view.low != nullptr) return copy(view.low, view, rows, out, stride);
  for (std::size_t i = 0; i < rows.size(); ++i) std::fill_n(out + static_cast<Index>(i) * stride, view.cols, 0.0);
}

} // namespace recta
