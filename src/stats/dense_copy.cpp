#include "stats/dense_copy.hpp"

#include "stats/rows.hpp"

#include <numeric>

namespace recta {
namespace {

void copy_sparse(const SparseView& from, double* to) {
  for (Index i = 0; i < from.rows; ++i) {
    const SparseRow row = sparse_row(from, i);
    for (Index s = 0; s < row.count; ++s) to[i * from.cols + row.column(s)] = row.value[s];
  }
}

} // namespace

void DenseCopy::take(const Batch& batch) {
  const Index n = batch.rows(), p = batch.cols();
  x.assign(static_cast<std::size_t>(n * p), 0.0);
  low.assign(x.size(), 0.0);
  const auto* dense = std::get_if<MatrixView>(&batch.x);
  if (!dense) return copy_sparse(std::get<SparseView>(batch.x), x.data());
  number_.resize(static_cast<std::size_t>(n));
  std::iota(number_.begin(), number_.end(), Index{0});
  gather(*dense, number_, x.data(), p);
  if (dense->low != nullptr) gather_low(*dense, number_, low.data(), p);
}

} // namespace recta
