#include "certificate/loss/geometry.hpp"

#include "base/blas.hpp"
#include "base/numbers.hpp"
#include "design/row_source.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
// About the centre, which is the mean of the curved rows if there is an intercept: the intercept then separates from
// the columns.
double Geometry::product(Index i, Index j) const {
  const Index size = gram_.size();
  const double about = gram_.scatter[std::max(i, j) + std::min(i, j) * size];
  return centred_ ? about : about + gram_.weight * gram_.mean[i] * gram_.mean[j];
}

Geometry::Geometry(const LossObjective& objective, const LossFacts& facts, const Gram& gram,
                   const std::vector<double>& w, Pool& pool, const Basis* basis)
    : gram_(gram), centred_(objective.intercept), scaled_(gram.targets > 0), based_(basis != nullptr),
      weight_(gram.weight) {
  const Index p = gram.cols;
  for (Index j = 0; j < p; ++j) {
    const double unit = facts.unit(objective, j);
    penalty_.push_back(objective.lambda2 * unit * unit);
    constant_.push_back(facts.sums.constant(j, centred_));
    absolute_.push_back(objective.lambda1 * unit);
  }
  std::vector<char> left_out(static_cast<std::size_t>(p));
  for (std::size_t s = 0; based_ && s < basis->columns.size(); ++s)
    left_out[basis->columns[s].column] = basis->columns[s].left_out;
  for (Index j = 0; j < p; ++j)
    if (!constant_[j] && !left_out[j] && (objective.lambda1 == 0 || w[j] != 0)) used_.push_back(j);
  if (!any()) return;
  if (centred_) centre_.assign(gram.mean.begin(), gram.mean.begin() + p);
  if (scaled_ && centred_) scale_mean_ = gram.mean[p];
  const auto size = static_cast<Index>(used_.size()) + (scaled_ ? 1 : 0);
  std::vector<double> h(static_cast<std::size_t>(size * size));
  const auto column = [&](Index s) { return s < static_cast<Index>(used_.size()) ? used_[s] : p; };
  for (Index c = 0; c < size; ++c) {
    for (Index r = 0; r <= c; ++r) h[r + c * size] = product(column(r), column(c));
    if (column(c) < p) h[c + c * size] += facts.weight() * penalty_[column(c)];
  }
  const double tolerance = 10 * std::max(static_cast<double>(size), 8.0) * kUnit;
  factor_ = Cholesky<double>(std::move(h), size, tolerance, &pool);
  for (std::size_t s = 0; s < used_.size(); ++s) {
    if (factor_.is_basic(static_cast<Index>(s)))
      ++rank_;
    else
      dependent_.push_back(used_[s]);
  }
  unit_.assign(static_cast<std::size_t>(p), 0.0);
  std::vector<Index> met;
  for (std::size_t s = 0; s < used_.size(); ++s) {
    const Index j = used_[s];
    if (penalty_[j] > 0 || objective.lambda1 > 0 || !factor_.is_basic(static_cast<Index>(s))) continue;
    unit_[j] = 1 / std::sqrt(square(j));
    met.push_back(j);
  }
  if (met.empty()) unit_.clear();
  unit_intercept_ = centred_ ? 1 / std::sqrt(weight_) : 0;
  least_ = bound(met, pool);
}

// A lower bound of the least eigenvalue of D M D. Products are off by at most 96 (n + 128) u of the roots of their
// squares and means by as much (least_squares/rounding.hpp), n the rows of a block; a factorisation in floating point
// that runs to its end proves the matrix positive up to 2 (k + 2) u of its trace. Numbers in a basis are within 2^-45
// of the roots of their squares, since more than 2^-50 is left of their columns (find_basis.cpp).
double Geometry::bound(const std::vector<Index>& exact, Pool&) const {
  const auto k = static_cast<Index>(exact.size());
  const double size = static_cast<double>(k) + 1;
  const double block = static_cast<double>(std::min(block_rows(gram_.cols), gram_.rows));
  const double off = size * (104 * (block + 128) * kUnit + (based_ ? 0x1p-43 : 0)) + 2 * (size + 2) * kUnit * size;
  if (k == 0) return 1 - off;
  std::vector<double> scaled(static_cast<std::size_t>(k * k)), trial;
  for (Index c = 0; c < k; ++c)
    for (Index r = 0; r < k; ++r) scaled[r + c * k] = product(exact[r], exact[c]) * unit_[exact[r]] * unit_[exact[c]];
  const blas::SerialBlas serial;
  double guess = std::min(0.25, 0.5 / factor_.condition_estimate());
  for (int tries = 0; tries < 4; ++tries, guess /= 16) {
    if (!(guess > 4 * off)) return 0;
    trial = scaled;
    for (Index c = 0; c < k; ++c) trial[c + c * k] -= guess;
    if (blas::potrf({trial.data(), k}) == 0) return guess - off;
  }
  return 0;
}

std::vector<Index> Geometry::met() const {
  std::vector<Index> out;
  for (std::size_t j = 0; j < unit_.size(); ++j)
    if (unit_[j] > 0) out.push_back(static_cast<Index>(j));
  return out;
}

DroppedColumn Geometry::dropped(Index j) const {
  DroppedColumn out{j, std::vector<double>(static_cast<std::size_t>(gram_.cols))};
  const std::vector<double> factors = factor_.combination(std::ranges::find(used_, j) - used_.begin());
  for (std::size_t s = 0; s < used_.size(); ++s) out.factors[static_cast<std::size_t>(used_[s])] = factors[s];
  return out;
}

DualStep Geometry::step(const Shortfall& e) const {
  const Index p = gram_.cols;
  DualStep out{std::vector<double>(static_cast<std::size_t>(p)), 0, 0};
  if (!any()) return out;
  if (centred_) out.q_b = e.intercept / weight_;
  std::vector<double> rhs;
  for (const Index j : used_) rhs.push_back(e.columns[j]);
  if (scaled_) rhs.push_back(e.scale - scale_mean_ * e.intercept);
  const std::vector<double> q = factor_.solve(rhs);
  for (std::size_t s = 0; s < used_.size(); ++s) out.q[used_[s]] = q[s];
  if (scaled_) out.rho = q.back();
  return out;
}

} // namespace recta
