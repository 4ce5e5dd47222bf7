#include "model/linear/ties.hpp"

#include "stats/rows.hpp"
#include "stats/tie.hpp"

#include <algorithm>
#include <cmath>

namespace recta {

Ties::Ties(const std::vector<Scorer>& scorers) : scorers_(scorers) {
  for (const Scorer& scorer : scorers) {
    double sum = 0;
    for (const double w : scorer.w) sum += std::abs(w);
    weights_ = std::max(weights_, sum);
    intercept_ = std::max(intercept_, std::abs(scorer.b));
  }
}

double Ties::size(const Batch& batch, Index row, std::size_t target) const {
  const std::vector<double>& w = scorers_[target].w;
  double sum = std::abs(scorers_[target].b);
  if (!batch.offset.empty()) sum += std::abs(batch.offset[static_cast<std::size_t>(row)]);
  if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
    for (Index j = 0; j < dense->cols; ++j) sum += std::abs(w[static_cast<std::size_t>(j)] * element(*dense, row, j));
  } else {
    const SparseRow numbers = sparse_row(std::get<SparseView>(batch.x), row);
    for (Index k = 0; k < numbers.count; ++k)
      sum += std::abs(w[static_cast<std::size_t>(numbers.column(k))] * numbers.value[k]);
  }
  return sum;
}

void Ties::settle_row(const Batch& batch, Index row, double near, double* z) const {
  const std::size_t targets = scorers_.size();
  if (targets == 1) {
    if (z[0] != 0 && std::isfinite(z[0]) && std::abs(z[0]) <= near && std::abs(z[0]) <= kTie * size(batch, row, 0))
      z[0] = 0;
    return;
  }
  const std::size_t best = static_cast<std::size_t>(std::max_element(z, z + targets) - z);
  for (std::size_t k = 0; k < targets; ++k) {
    const double below = z[best] - z[k];
    if (below > 0 && std::isfinite(below) && below <= 2 * near &&
        below <= kTie * (size(batch, row, k) + size(batch, row, best)))
      z[k] = z[best];
  }
}

void Ties::settle(const Batch& batch, double largest, double* scores) const {
  const Index n = batch.rows(), targets = std::ssize(scorers_);
  double offset = 0;
  for (const double row_offset : batch.offset) offset = std::max(offset, std::abs(row_offset));
  // No row's terms add up to more than this: few rows have scores so near that their own terms are looked at.
  const double near = kTie * (weights_ * largest + intercept_ + offset) * (1 + 1e-9);
  bool some = targets > 1;
  for (Index i = 0; i < n && targets == 1; ++i) some |= std::abs(scores[i]) <= near;
  for (Index i = 0; i < n && some; ++i) settle_row(batch, i, near, scores + i * targets);
}

} // namespace recta
