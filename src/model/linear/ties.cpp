#include "model/linear/ties.hpp"

#include "base/simd/kernels.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr double kRounding = 0x1p-51;

double largest_size(const Batch& batch) {
  const auto& largest = simd::kernels().largest_size;
  if (const auto* dense = std::get_if<MatrixView>(&batch.x)) return largest(*dense);
  const auto& sparse = std::get<SparseView>(batch.x);
  const SparseRow first = sparse_row(sparse, 0), last = sparse_row(sparse, sparse.rows - 1);
  return largest(MatrixView::vector(first.value, last.value + last.count - first.value));
}

} // namespace

Ties::Ties(const LinearSummary& model) : model_(model) {
  for (const TargetFit& target : model.targets) {
    double sum = 0;
    for (const Coefficient& c : target.coefficients) sum += std::abs(c.value);
    weights_ = std::max(weights_, sum);
    intercept_ = std::max(intercept_, std::abs(target.intercept.value));
  }
}

double Ties::size(const Batch& batch, Index row, std::size_t target) const {
  const auto& w = model_.targets[target].coefficients;
  double sum = std::abs(model_.targets[target].intercept.value);
  if (!batch.offset.empty()) sum += std::abs(batch.offset[static_cast<std::size_t>(row)]);
  if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
    for (Index j = 0; j < dense->cols; ++j)
      sum += std::abs(w[static_cast<std::size_t>(j)].value * element(*dense, row, j));
  } else {
    const SparseRow numbers = sparse_row(std::get<SparseView>(batch.x), row);
    for (Index k = 0; k < numbers.count; ++k)
      sum += std::abs(w[static_cast<std::size_t>(numbers.column(k))].value * numbers.value[k]);
  }
  return sum;
}

void Ties::settle(const Batch& batch, double* scores) const {
  if (batch.rows() == 0) return;
  const std::size_t targets = model_.targets.size();
  // No row's terms are larger together than this: few rows have scores so near that their own terms are looked at.
  const double any = (weights_ * largest_size(batch) + intercept_) * (1 + 1e-9);
  for (Index i = 0; i < batch.rows(); ++i) {
    double* const z = scores + i * static_cast<Index>(targets);
    const double offset = batch.offset.empty() ? 0 : std::abs(batch.offset[static_cast<std::size_t>(i)]);
    const double near = kRounding * (any + offset);
    if (targets == 1) {
      if (z[0] != 0 && std::abs(z[0]) <= near && std::abs(z[0]) <= kRounding * size(batch, i, 0)) z[0] = 0;
      continue;
    }
    const std::size_t best = static_cast<std::size_t>(std::max_element(z, z + targets) - z);
    for (std::size_t k = 0; k < targets; ++k) {
      const double below = z[best] - z[k];
      if (below > 0 && below <= 2 * near && below <= kRounding * (size(batch, i, k) + size(batch, i, best)))
        z[k] = z[best];
    }
  }
}

} // namespace recta
