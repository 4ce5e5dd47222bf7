// Access to the numbers of a batch, shared by all statistics.
#pragma once

#include "design/batch.hpp"

#include <span>
#include <vector>

namespace recta {

inline double element(const MatrixView& view, Index i, Index j) {
  const Index at = i * view.row_stride + j * view.col_stride;
  return view.scalar == Scalar::float64 ? static_cast<const double*>(view.data)[at]
                                        : static_cast<double>(static_cast<const float*>(view.data)[at]);
}
inline double element_low(const MatrixView& view, Index i, Index j) {
  return view.low == nullptr ? 0 : view.low[i * view.row_stride + j * view.col_stride];
}

// Columns [first, first + count) of a view of the same memory.
inline MatrixView columns_of(const MatrixView& view, Index first, Index count) {
  MatrixView part = view;
  const Index skip = first * view.col_stride;
  part.data = view.scalar == Scalar::float64 ? static_cast<const void*>(static_cast<const double*>(view.data) + skip)
                                             : static_cast<const void*>(static_cast<const float*>(view.data) + skip);
  if (view.low != nullptr) part.low = view.low + skip;
  part.cols = count;
  return part;
}
// Whether the columns are contiguous doubles.
inline bool stands_by_column(const MatrixView& view) {
  return view.scalar == Scalar::float64 && view.row_stride == 1 && (view.col_stride != 1 || view.rows == 1);
}

struct SparseRow {
  Index count = 0;
  const double* value = nullptr;
  const void* index = nullptr;
  IndexWidth width = IndexWidth::bits64;

  Index column(Index s) const {
    return width == IndexWidth::bits64 ? static_cast<const std::int64_t*>(index)[s]
                                       : static_cast<const std::int32_t*>(index)[s];
  }
};

inline SparseRow sparse_row(const SparseView& view, Index i) {
  if (view.width == IndexWidth::bits64) {
    const auto* start = static_cast<const std::int64_t*>(view.start);
    return {start[i + 1] - start[i], view.value + start[i], static_cast<const std::int64_t*>(view.index) + start[i],
            view.width};
  }
  const auto* start = static_cast<const std::int32_t*>(view.start);
  return {start[i + 1] - start[i], view.value + start[i], static_cast<const std::int32_t*>(view.index) + start[i],
          view.width};
}

// The numbers, within the batch, of the rows with positive weight.
std::vector<Index> present_rows(const Batch& batch);

// Copies the named rows to `out`, row by row, `stride` numbers apart. The result does not depend on the layout and type
// of the view.
void gather(const MatrixView& view, std::span<const Index> rows, double* out, Index stride);
void gather_low(const MatrixView& view, std::span<const Index> rows, double* out, Index stride);

} // namespace recta
