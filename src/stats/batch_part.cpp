#include "stats/batch_part.hpp"

#include "base/numbers.hpp"

namespace recta {
namespace {

std::variant<MatrixView, SparseView> rows_of(const MatrixView& view, Index first, Index count) {
  MatrixView part = view;
  const Index skip = first * view.row_stride;
  part.data = view.scalar == Scalar::float64 ? static_cast<const void*>(static_cast<const double*>(view.data) + skip)
                                             : static_cast<const void*>(static_cast<const float*>(view.data) + skip);
  if (view.low != nullptr) part.low = view.low + skip;
  part.rows = count;
  return part;
}
std::variant<MatrixView, SparseView> rows_of(const SparseView& view, Index first, Index count) {
  SparseView part = view;
  part.start = view.width == IndexWidth::bits64
                   ? static_cast<const void*>(static_cast<const std::int64_t*>(view.start) + first)
                   : static_cast<const void*>(static_cast<const std::int32_t*>(view.start) + first);
  part.rows = count;
  return part;
}

} // namespace

Batch part_of(const Batch& batch, Index first, Index count) {
  Batch part = batch;
  part.x = std::visit([&](const auto& view) { return rows_of(view, first, count); }, batch.x);
  if (batch.target.cols > 0) part.target = std::get<MatrixView>(rows_of(batch.target, first, count));
  if (!batch.weight.empty()) part.weight = batch.weight.subspan(at(first), at(count));
  if (!batch.offset.empty()) part.offset = batch.offset.subspan(at(first), at(count));
  if (!batch.cluster.empty()) part.cluster = batch.cluster.subspan(at(first), at(count));
  part.first_row = batch.first_row + first;
  return part;
}

} // namespace recta
