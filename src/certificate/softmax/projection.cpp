#include "certificate/softmax/projection.hpp"

#include "base/blas.hpp"
#include "base/numbers.hpp"
#include "design/row_source.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
double rounding_of(const SimplexSums& sums) {
  return (4 * sums.farthest + 2 * static_cast<double>(sums.classes) + 64) * 0x1p-52 + 2 * sums.blur;
}

Projection::Projection(const SoftmaxClaimed& claimed, const ClassHessian& hessian, const SimplexSums& sums, bool exact,
                       Pool& pool)
    : claimed_(&claimed), unit_(claimed.unit.size() + 1) {
  const double off = rounding_of(sums);
  const auto last = [&](Index k) { // of those that are joined: its sum is met with the others
    return std::find(sums.joined.begin() + k + 1, sums.joined.end(), sums.joined[k]) == sums.joined.end();
  };
  Index place = 0;
  const auto take = [&](Index k, Index j, bool left_out) {
    const Index at = place++;
    const double diagonal = hessian.lower[at + at * hessian.size] / hessian.weight + squares(j);
    if (!left_out && diagonal > 0) unknowns_.push_back({k, j, at, 1 / std::sqrt(diagonal), j < 0 || exact});
    if (!left_out && !(diagonal > 0) && (j < 0 || exact)) flat_.push_back({k, j, at, 0, true});
  };
  for (Index k = 0; k < claimed.classes; ++k) {
    for (const Index j : hessian.point->columns[k]) take(k, j, false);
    if (!hessian.point->constants) continue;
    curvature_.push_back((1 + off + 1e-9) * std::sqrt(hessian.lower[place + place * hessian.size] / hessian.weight));
    take(k, -1, last(k));
  }
  const auto size = std::ssize(unknowns_);
  std::vector<double> h(static_cast<std::size_t>(size * size));
  for (Index c = 0; c < size; ++c) {
    for (Index r = 0; r <= c; ++r)
      h[r + c * size] = hessian.lower[unknowns_[c].place + unknowns_[r].place * hessian.size] / hessian.weight *
                        unknowns_[r].scale * unknowns_[c].scale;
    h[c + c * size] += squares(unknowns_[c].column) * unknowns_[c].scale * unknowns_[c].scale;
  }
  const blas::SerialBlas serial;
  factor_ = Cholesky<double>(std::move(h), size, 10 * static_cast<double>(size + 8) * kUnit, &pool);
  for (const Unknown& u : unknowns_) {
    double& unit = unit_[u.column < 0 ? unit_.size() - 1 : static_cast<std::size_t>(u.column)];
    if (u.exact) unit = std::max(unit, u.scale);
  }
  least_ = least_eigenvalue(hessian, off);
}

// Numbers of the Hessian are off by at most n u of the sizes of their terms, n the rows that one state takes and the
// states, and by what the probabilities are off; a size is at most the root of two squares. A factorisation in floating
// point that runs to its end proves the matrix positive up to 2 (k + 2) u of its trace (Rump 2006).
double Projection::least_eigenvalue(const ClassHessian& hessian, double off) const {
  std::vector<Unknown> met;
  double ratio = 1; // of the squares to the Hessian's own numbers, which cancellation made smaller
  for (const Unknown& u : unknowns_) {
    if (!u.exact) continue;
    met.push_back(u);
    ratio = std::max(ratio, hessian.square[u.place] / hessian.weight * u.scale * u.scale);
  }
  const auto k = std::ssize(met);
  if (k == 0) return 1;
  const Index leaf = hessian.leaf_blocks() * block_rows(static_cast<Index>(claimed_->unit.size()));
  const double size = static_cast<double>(k), n = static_cast<double>(std::min(hessian.rows, leaf) + 256);
  const double lost = 4 * ratio * size * (n * kUnit + off) + 2 * (size + 2) * kUnit * size;
  std::vector<double> scaled(static_cast<std::size_t>(k * k)), trial;
  for (Index c = 0; c < k; ++c)
    for (Index r = c; r < k; ++r)
      scaled[r + c * k] =
          hessian.lower[met[r].place + met[c].place * hessian.size] / hessian.weight * met[r].scale * met[c].scale;
  const blas::SerialBlas serial;
  const bool all = met.size() == unknowns_.size();
  for (double guess = all ? std::min(0.25, 0.5 / factor_.condition_estimate()) : 0.25; guess > 4 * lost; guess /= 16) {
    trial = scaled;
    for (Index c = 0; c < k; ++c) trial[c + c * k] -= guess;
    if (blas::potrf({trial.data(), k}) == 0) return guess - lost;
  }
  return 0;
}

double Projection::squares(Index j) const {
  return j < 0 ? 0 : claimed_->lambda2 * claimed_->unit[j];
}

// The shortfall of G, about the centre, in units of the mean loss.
double Projection::shortfall(const Unknown& u, const SimplexSums& sums) const {
  if (u.column < 0) return (sums.sum_of(u.class_of) / sums.weight).hi;
  const std::size_t s = static_cast<std::size_t>(u.class_of * sums.cols + u.column);
  const double unit = claimed_->unit[u.column], w = claimed_->w[s];
  const double l1 = claimed_->lambda1 * std::sqrt(unit) * (w > 0 ? 1 : w < 0 ? -1 : 0);
  const DoubleDouble due = two_prod(claimed_->lambda2 * unit, w) + l1;
  const double m = claimed_->intercept ? claimed_->centre[u.column] : 0;
  return ((sums.product_of(s) - sums.sum_of(u.class_of) * m) / sums.weight - due).hi;
}

void Projection::move(const SimplexSums& sums, SimplexTarget& target) const {
  std::vector<double> rhs;
  for (const Unknown& u : unknowns_) {
    const double moved = u.column < 0 || target.q.empty() ? 0 : target.q[u.class_of * sums.cols + u.column];
    rhs.push_back(u.column >= 0 && sums.product.empty() ? 0
                                                        : -(shortfall(u, sums) + squares(u.column) * moved) * u.scale);
  }
  const std::vector<double> x = factor_.solve(rhs);
  target.t.resize(static_cast<std::size_t>(claimed_->classes));
  for (std::size_t s = 0; s < x.size(); ++s) {
    const Unknown& u = unknowns_[s];
    if (u.column >= 0) target.q.resize(claimed_->w.size());
    (u.column < 0 ? target.t[u.class_of] : target.q[u.class_of * sums.cols + u.column]) += x[s] * u.scale;
  }
  if (claimed_->intercept) target.centre = claimed_->centre;
  target.unit = unit_;
  target.products = true;
}

double Projection::further(const SimplexSums& sums) const {
  const double left = shortfall(sums);
  if (left == 0) return 0;
  return least_ > 0 ? (1 + 1e-9) * sums.reach * left / least_ : kInfinity;
}

double Projection::energy(const SimplexSums& sums) const {
  const double left = shortfall(sums);
  if (left == 0) return 0;
  return least_ > 0 ? (1 + 1e-9) * left / std::sqrt(least_) : kInfinity;
}

// The shortfall of all that must be met exactly, each in its own scale, with what rounding may hide.
double Projection::shortfall(const SimplexSums& sums) const {
  double square = 0;
  for (const Unknown& u : flat_) {
    const bool touched = u.column >= 0 && sums.absolute[u.class_of * sums.cols + u.column] > 0;
    if (touched || shortfall(u, sums) != 0) return kInfinity;
  }
  for (const Unknown& u : unknowns_) {
    if (!u.exact) continue;
    const double size = std::sqrt(sums.squares[u.class_of] / sums.weight); // at least the mean of |d|
    double error = 4 * SimplexSums::kRounding * size;
    if (u.column >= 0) {
      const auto at = static_cast<std::size_t>(u.class_of * sums.cols + u.column);
      const double m = claimed_->intercept ? std::abs(claimed_->centre[u.column]) : 0;
      error = 4 * SimplexSums::kRounding * (sums.absolute[at] / sums.weight + m * size);
    }
    const double x = u.scale * (std::abs(shortfall(u, sums)) + error);
    square += x * x;
  }
  return std::sqrt(square);
}

} // namespace recta
