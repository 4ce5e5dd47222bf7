// The data of rows other than their features: targets, weights, offsets, all in the caller's memory.
#pragma once

#include "design/batch.hpp"

#include <algorithm>

namespace recta {

struct Outcome {
  MatrixView target{};              // no columns: none, as at prediction
  std::span<const double> weight{}; // empty: all one
  std::span<const double> offset{}; // empty: all zero
  std::span<const std::uint64_t> cluster{};
};

// Rows [first, first + count) of a view of the same memory.
inline MatrixView rows_of(const MatrixView& x, Index first, Index count) {
  MatrixView part = x;
  const Index skip = first * x.row_stride;
  if (x.data) {
    part.data = x.scalar == Scalar::float32 ? static_cast<const void*>(static_cast<const float*>(x.data) + skip)
                                            : static_cast<const void*>(static_cast<const double*>(x.data) + skip);
    if (x.low) part.low = x.low + skip;
  }
  part.rows = count;
  return part;
}

inline SparseView rows_of(const SparseView& x, Index first, Index count) {
  SparseView part = x;
  part.rows = count;
  part.start = x.width == IndexWidth::bits32
                   ? static_cast<const void*>(static_cast<const std::int32_t*>(x.start) + first)
                   : static_cast<const void*>(static_cast<const std::int64_t*>(x.start) + first);
  return part;
}

inline Batch rows_of(const Batch& batch, Index first, Index count) {
  const auto from = static_cast<std::size_t>(first), size = static_cast<std::size_t>(count);
  Batch part;
  std::visit([&](const auto& view) { part.x = rows_of(view, first, count); }, batch.x);
  part.target = rows_of(batch.target, first, count);
  part.weight = batch.weight.empty() ? batch.weight : batch.weight.subspan(from, size);
  part.offset = batch.offset.empty() ? batch.offset : batch.offset.subspan(from, size);
  part.cluster = batch.cluster.empty() ? batch.cluster : batch.cluster.subspan(from, size);
  part.first_row = batch.first_row + first;
  return part;
}

inline void attach_outcome(const Outcome& outcome, Index first, Index count, Batch& batch) {
  const auto from = static_cast<std::size_t>(first), size = static_cast<std::size_t>(count);
  batch.target = rows_of(outcome.target, first, count);
  batch.weight = outcome.weight.empty() ? outcome.weight : outcome.weight.subspan(from, size);
  batch.offset = outcome.offset.empty() ? outcome.offset : outcome.offset.subspan(from, size);
  batch.cluster = outcome.cluster.empty() ? outcome.cluster : outcome.cluster.subspan(from, size);
}

} // namespace recta
