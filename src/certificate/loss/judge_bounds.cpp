// Dual points, and the gap and the slack of each.
#include "base/numbers.hpp"
#include "certificate/loss/judge.hpp"

#include <cmath>

namespace recta {
// What rounding may hide of the mean loss.
double LossJudge::hidden() const {
  return std::max(0.0, first_.value_at_most / facts_.weight() - mean_loss_);
}

// F* >= 0, by d = 0.
Bound LossJudge::without_dual_point() const {
  return {.gap = objective_, .slack = hidden() + 64 * kUnit * objective_};
}

// A constant column is met with the intercept.
bool LossJudge::every_column_forgives() const {
  for (Index j = 0; j < rows_.cols(); ++j)
    if (!(geometry_->penalty(j) > 0 || (geometry_->constant(j) && claimed_.objective.intercept))) return false;
  return !claimed_.objective.fitted_scale && claimed_.objective.at()->by_residual();
}

// Every row lies where the loss is straight, and d = -loss' is at an end of its domain. What its sum lacks of zero is
// `move` in every row; for that to stay in the domain d is first made smaller by a factor 1 - eta. Every term is
// convex in d: the factor costs eta times the loss, and the move |r| + |d| times its size. Columns see both, and
// under squares that costs what it costs.
Bound LossJudge::without_curvature() const {
  const double w = facts_.weight(), end = claimed_.objective.at()->nearest(0, kInfinity);
  const double lacks = std::abs(first_.sum.hi) + DualSums::kRounding * first_.sum_abs;
  const double move = claimed_.objective.intercept ? (1 + 1e-9) * lacks / w : 0, eta = (1 + 1e-9) * move / end;
  const double far = std::sqrt(std::max(0.0, first_.residual_squares.hi) / w) * (1 + 1e-9); // at least the mean of |r|
  Bound out{.gap = (first_.gap / w).hi + eta * mean_loss_, .slack = (1 + 1e-9) * first_.slack / w};
  out.slack += move * (far + end);
  std::vector<double> error;
  const Shortfall e = shortfall(&error);
  std::vector<PenaltyTerm> terms;
  for (Index j = 0; j < first_.cols; ++j) {
    if (!(geometry_->penalty(j) > 0)) continue;
    const double scores_error =
        (1 + 1e-6) * (eta + move / end) * first_.gradient_abs[j]; // |d| is nearly `end` in every row
    terms.push_back({claimed_.w[j], 0, geometry_->penalty(j), e.columns[j] / w, (error[j] + scores_error) / w});
  }
  add_penalties(terms, mean_loss_, out);
  out.slack += 64 * kUnit * (out.gap + kUnit * penalty_);
  return out;
}

// The shortfall of the dual point of the last pass, and how large rounding can have made it.
Shortfall LossJudge::shortfall(std::vector<double>* error) const {
  Shortfall e;
  const std::vector<double>& centre = geometry_->centre();
  e.intercept = sums_.sum.hi;
  for (Index j = 0; j < sums_.cols; ++j) {
    const double m = centre.empty() ? 0 : centre[j];
    const double w = claimed_.w[j], side = w > 0 ? 1 : w < 0 ? -1 : 0;
    const DoubleDouble due =
        DoubleDouble(facts_.weight()) * (two_prod(geometry_->penalty(j), w) + geometry_->absolute(j) * side);
    e.columns.push_back((sums_.product(j) - sums_.sum * m - due).hi);
    if (error)
      error->push_back(2 * DualSums::kRounding * (sums_.gradient_abs[j] + std::abs(m) * sums_.sum_abs) +
                       64 * kUnit * std::abs(due.hi) + 2 * kUnit * std::abs(e.columns.back()) +
                       (view_.basis ? view_.error[j] * std::sqrt(sums_.squares.hi) : 0));
  }
  e.scale = (sums_.squares - facts_.weight()).hi / 2;
  return e;
}

// |D e| over what must be met exactly.
double LossJudge::length(const Shortfall& e, const std::vector<double>& error) const {
  const std::vector<double>& unit = geometry_->unit();
  const double b = geometry_->unit_intercept() * (std::abs(e.intercept) + DualSums::kRounding * sums_.sum_abs);
  double square = b * b;
  for (std::size_t j = 0; j < unit.size(); ++j) {
    const double x = unit[j] * (std::abs(e.columns[j]) + error[j]);
    square += x * x;
  }
  return (1 + 1e-9) * std::sqrt(square);
}

// Roughly the length that rounding will leave, so that enough room is asked for from the first.
double LossJudge::expected(const Shortfall& e) const {
  Shortfall rough = e;
  rough.intercept = 8 * kUnit * sums_.sum_abs + 1e-9 * std::abs(e.intercept);
  for (std::size_t j = 0; j < rough.columns.size(); ++j) {
    const double m = geometry_->centre().empty() ? 0 : geometry_->centre()[j];
    rough.columns[j] =
        8 * kUnit * (sums_.gradient_abs[j] + std::abs(m) * sums_.sum_abs) + 1e-9 * std::abs(e.columns[j]);
  }
  return length(rough, std::vector<double>(rough.columns.size()));
}

std::shared_ptr<DualPoint> LossJudge::placed(const DualStep& step, double beta) const {
  auto point = fresh_point();
  point->q = step.q;
  point->q_b = step.q_b;
  point->rho = step.rho;
  point->centre = geometry_->centre();
  point->t = geometry_->scale_mean();
  point->d = geometry_->unit();
  point->d_b = geometry_->unit_intercept();
  point->beta = beta;
  return point;
}

Result<void> LossJudge::project() {
  const double least = geometry_->least_eigenvalue() > 0 ? geometry_->least_eigenvalue() : kInfinity;
  DualStep step = geometry_->step(shortfall(nullptr));
  double beta = expected(shortfall(nullptr)) / least;
  for (int tries = 0; tries < 3; ++tries) {
    const auto point = placed(step, beta);
    if (auto done = look(point); !done) return done;
    std::vector<double> error;
    const Shortfall e = shortfall(&error);
    const double needed = length(e, error) / least;
    consider(bound(e, error, needed * least), needed <= beta && geometry_->least_eigenvalue() > 0);
    if (needed <= beta) return {};
    const DualStep more = geometry_->step(e);
    for (std::size_t j = 0; j < step.q.size(); ++j) step.q[j] += more.q[j];
    step.q_b += more.q_b;
    step.rho += more.rho;
    beta = 2 * needed;
  }
  return {};
}

// -loss' itself, its mean taken off.
Result<void> LossJudge::plain() {
  sums_ = first_;
  DualStep step;
  step.q.assign(static_cast<std::size_t>(first_.cols), 0.0);
  if (claimed_.objective.intercept) step.q_b = first_.sum.hi / first_.gram.weight;
  const double beta = expected(shortfall(nullptr)) / geometry_->least_eigenvalue();
  if (auto done = look(placed(step, beta)); !done) return done;
  std::vector<double> error;
  const Shortfall e = shortfall(&error);
  const double left = length(e, error);
  consider(bound(e, error, left), left / geometry_->least_eigenvalue() <= beta);
  return {};
}

// `left`: |D e|.
Bound LossJudge::bound(const Shortfall& e, const std::vector<double>& error, double left) const {
  const double w = facts_.weight(), least = geometry_->least_eigenvalue();
  Bound out{.gap = (sums_.gap / w).hi, .slack = (1 + 1e-9) * sums_.slack / w};
  std::vector<PenaltyTerm> terms;
  for (Index j = 0; j < sums_.cols; ++j) {
    const double l1 = geometry_->absolute(j), l2 = geometry_->penalty(j);
    if ((l1 == 0 && l2 == 0) || (l1 > 0 && geometry_->constant(j))) continue;
    const double moved = least > 0 ? std::sqrt(geometry_->square(j) / least) * left : 0;
    terms.push_back({claimed_.w[j], l1, l2, e.columns[j] / w, (error[j] + moved) / w});
  }
  add_penalties(terms, mean_loss_, out);
  if (claimed_.objective.fitted_scale) scaled(out, left);
  out.slack += 64 * kUnit * (out.gap + kUnit * penalty_);
  return out;
}

// d scaled until the mean of its squares is 1; every term of the gap is convex in d. The exact move is c a'q with
// c <= 1 / s and sum v c (a'q)^2 <= |D e|^2 / lambda, so by Cauchy and Schwarz it changes sum v d^2 by no more than
// `change`.
void LossJudge::scaled(Bound& out, double left) const {
  const double w = facts_.weight(), least = geometry_->least_eigenvalue(), s = claimed_.scale;
  const double moved = least > 0 ? left / std::sqrt(least * s) : 0;
  const double change = (2 * std::sqrt(sums_.squares.hi) + moved) * moved + 16 * kUnit * sums_.squares.hi;
  const double most = (sums_.squares.hi + change) / w;
  const double kappa = most > 1 ? 1 / std::sqrt(most) : 1;
  const double rest = std::max(0.0, (most - 1) / (1 + std::sqrt(most))) + 4 * kUnit; // at least 1 - kappa
  out.gap += rest * (mean_loss_ + penalty_);
  out.gap += s * std::max(0.0, 1 - kappa * kappa * (sums_.squares.hi - change) / w * (1 - 8 * kUnit)) / 2;
}

} // namespace recta
