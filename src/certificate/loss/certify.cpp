#include "certificate/loss/certify.hpp"

#include "base/sums.hpp"
#include "certificate/least_squares/exact_span.hpp"
#include "certificate/least_squares/left_out.hpp"
#include "certificate/loss/dual_sums.hpp"
#include "certificate/loss/find_basis.hpp"
#include "certificate/loss/firth.hpp"
#include "certificate/loss/geometry.hpp"
#include "certificate/loss/kinked.hpp"
#include "certificate/loss/penalty_bound.hpp"
#include "certificate/loss/seen_rows.hpp"
#include "certificate/loss/verdict.hpp"
#include "certificate/loss/wide.hpp"
#include "certificate/pass.hpp"
#include "stats/basis/basis_rows.hpp"
#include "stats/shifted_rows.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr double kUnit = 0x1p-53;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kWeak = 1e-6; // eigenvalue below which what a constraint lacks moves a dual point far

class Judge {
public:
  // `hurried`: the watch is the patience of whoever stopped the fit, and what there is when it ends is the answer.
  Judge(const LossClaimed& claimed, SeenRows seen, Pool& pool, const Watch& watch, bool hurried)
      : claimed_(claimed), seen_(std::move(seen)), facts_(*claimed.facts), rows_(seen_.rows), pool_(pool),
        watch_(watch), hurried_(hurried) {}

  Result<void> run() {
    auto point = fresh_point();
    point->gather = point->bound_value = true;
    point->gaps = claimed_.objective.at()->by_residual(); // whose rows may have no curvature: without_curvature()
    point->constant = said_constant(claimed_.objective, facts_);
    if (auto done = look(point); !done) return done.error().code == ErrorCode::interrupted ? brief() : done;
    first_ = sums_;
    add_objective();
    geometry_.emplace(claimed_.objective, facts_, first_.gram, claimed_.w, pool_, seen_.basis);
    best_ = without_dual_point();
    if (!geometry_->any()) {
      if (every_column_forgives()) consider(without_curvature(), true);
      return {};
    }
    if (auto done = project(); !done) return kept(std::move(done));
    // Far from the optimum the step leaves the domain, and the plain dual point may be the better one.
    const bool penalised = geometry_->unit().empty();
    if (penalised && !(best_.gap + best_.slack <= limit())) return kept(plain());
    return kept(look_at_combinations());
  }

  // Constraints are met to rounding only, or not looked at: a basis that tells columns apart may do better.
  bool wants_basis() const {
    const LossObjective& objective = claimed_.objective;
    if (hurried_ || objective.lambda1 > 0 || objective.lambda2 > 0 || !geometry_ || !geometry_->any()) return false;
    if (objective_ <= limit()) return false; // d = 0 is enough
    const bool weak = geometry_->least_eigenvalue() < kWeak && !(best_.gap + best_.slack <= limit());
    return geometry_->least_eigenvalue() == 0 || weak || (!left_over().empty() && !left_out_.exact);
  }
  // How far the columns as they are stand from their conditions, beside the sums of sizes. Not for those of a basis.
  double residual() const { return residual_of(claimed_, first_.gradient, first_.gradient_abs); }
  Index passes() const { return passes_; }

  Certificate written(double residual) const;
  LossChecked checked() const;
  const Gram* curvature() const { return geometry_ ? &first_.gram : nullptr; }

private:
  double limit() const { return claimed_.tolerance * facts_.null_objective; }

  // Whoever stopped the fit waits: F itself in one pass without products, and no bound but F* >= 0.
  Result<void> brief() {
    if (!hurried_) return fail(ErrorCode::interrupted, "certifying", "stopped before the check was done");
    auto point = fresh_point();
    point->bound_value = true;
    auto sums = fresh_pass(rows_, DualSums(std::move(point)), pool_, {}, {"certifying", claimed_.passes + passes_});
    if (!sums) return std::unexpected(sums.error());
    first_ = sums_ = *std::move(sums);
    ++passes_;
    add_objective();
    best_ = without_dual_point();
    return {};
  }
  Result<void> kept(Result<void> done) const { // the best bound so far
    return hurried_ && !done && done.error().code == ErrorCode::interrupted ? Result<void>{} : done;
  }

  std::shared_ptr<DualPoint> fresh_point() const {
    auto point = std::make_shared<DualPoint>();
    point->loss = claimed_.objective.at(claimed_.scale);
    for (const DoubleDouble& w : seen_.answer.w) {
      point->w.push_back(w.hi);
      if (seen_.basis) point->w_low.push_back(w.lo);
    }
    point->b = seen_.answer.b.hi;
    point->b_low = seen_.answer.b.lo;
    point->b_error = seen_.b_error;
    point->z_error = seen_.z_error;
    point->scale = claimed_.objective.fitted_scale;
    point->spare = 0.01 * limit();
    return point;
  }

  Result<void> look(std::shared_ptr<const DualPoint> point) {
    auto sums = fresh_pass(rows_, DualSums(std::move(point)), pool_, watch_, {"certifying", claimed_.passes + passes_});
    if (!sums) return std::unexpected(sums.error());
    sums_ = *std::move(sums);
    ++passes_;
    return {};
  }

  void add_objective() {
    const DoubleDouble penalty = penalty_of(claimed_.objective, facts_, claimed_.w);
    mean_loss_ = (first_.value / first_.weight).hi;
    penalty_ = penalty.hi;
    objective_ =
        (first_.value / first_.weight + penalty).hi + (claimed_.objective.fitted_scale ? claimed_.scale / 2 : 0);
  }

  // F* >= 0, by d = 0.
  Bound without_dual_point() const {
    const double hidden = std::max(0.0, first_.value_at_most / facts_.weight() - mean_loss_);
    return {.gap = objective_, .slack = hidden + 64 * kUnit * objective_};
  }

  // A constant column is met with the intercept.
  bool every_column_forgives() const {
    for (Index j = 0; j < rows_.cols(); ++j)
      if (!(geometry_->penalty(j) > 0 || (geometry_->constant(j) && claimed_.objective.intercept))) return false;
    return !claimed_.objective.fitted_scale && claimed_.objective.at()->by_residual();
  }

  // Every row lies where the loss is straight, and d = -loss' is at an end of its domain. What its sum lacks of zero is
  // `move` in every row; for that to stay in the domain d is first made smaller by a factor 1 - eta. Every term is
  // convex in d: the factor costs eta times the loss, and the move |r| + |d| times its size. Columns see both, and
  // under squares that costs what it costs.
  Bound without_curvature() const {
    const double w = facts_.weight(), end = claimed_.objective.at()->nearest(0, kInfinity);
    const double lacks = std::abs(first_.sum.hi) + DualSums::kRounding * first_.sum_abs;
    const double move = claimed_.objective.intercept ? (1 + 1e-9) * lacks / w : 0, eta = (1 + 1e-9) * move / end;
    const double far =
        std::sqrt(std::max(0.0, first_.residual_squares.hi) / w) * (1 + 1e-9); // at least the mean of |r|
    Bound out{.gap = (first_.gap / w).hi + eta * mean_loss_, .slack = (1 + 1e-9) * first_.slack / w};
    out.slack += move * (far + end);
    std::vector<double> error;
    const Shortfall e = shortfall(&error);
    std::vector<PenaltyTerm> terms;
    for (Index j = 0; j < first_.cols; ++j) {
      if (!(geometry_->penalty(j) > 0)) continue;
      const double seen = (1 + 1e-6) * (eta + move / end) * first_.gradient_abs[j]; // |d| is nearly `end` in every row
      terms.push_back({claimed_.w[j], 0, geometry_->penalty(j), e.columns[j] / w, (error[j] + seen) / w});
    }
    add_penalties(terms, mean_loss_, out);
    out.slack += 64 * kUnit * (out.gap + kUnit * penalty_);
    return out;
  }

  // What the dual point of the last pass lacks, and how large rounding can have made that.
  Shortfall shortfall(std::vector<double>* error) const {
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
                         (seen_.basis ? seen_.error[j] * std::sqrt(sums_.squares.hi) : 0));
    }
    e.scale = (sums_.squares - facts_.weight()).hi / 2;
    return e;
  }

  // |D e| over what must be met exactly.
  double length(const Shortfall& e, const std::vector<double>& error) const {
    const std::vector<double>& unit = geometry_->unit();
    const double b = geometry_->unit_intercept() * (std::abs(e.intercept) + DualSums::kRounding * sums_.sum_abs);
    double square = b * b;
    for (std::size_t j = 0; j < unit.size(); ++j) {
      const double x = unit[j] * (std::abs(e.columns[j]) + error[j]);
      square += x * x;
    }
    return (1 + 1e-9) * std::sqrt(square);
  }

  // What rounding will leave, roughly: enough room is asked for from the first.
  double expected(const Shortfall& e) const {
    Shortfall rough = e;
    rough.intercept = 8 * kUnit * sums_.sum_abs + 1e-9 * std::abs(e.intercept);
    for (std::size_t j = 0; j < rough.columns.size(); ++j) {
      const double m = geometry_->centre().empty() ? 0 : geometry_->centre()[j];
      rough.columns[j] =
          8 * kUnit * (sums_.gradient_abs[j] + std::abs(m) * sums_.sum_abs) + 1e-9 * std::abs(e.columns[j]);
    }
    return length(rough, std::vector<double>(rough.columns.size()));
  }

  std::shared_ptr<DualPoint> placed(const DualStep& step, double beta) const {
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

  Result<void> project() {
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
  Result<void> plain() {
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
  Bound bound(const Shortfall& e, const std::vector<double>& error, double left) const {
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
  void scaled(Bound& out, double left) const {
    const double w = facts_.weight(), least = geometry_->least_eigenvalue(), s = claimed_.scale;
    const double moved = least > 0 ? left / std::sqrt(least * s) : 0;
    const double change = (2 * std::sqrt(sums_.squares.hi) + moved) * moved + 16 * kUnit * sums_.squares.hi;
    const double most = (sums_.squares.hi + change) / w;
    const double kappa = most > 1 ? 1 / std::sqrt(most) : 1;
    const double rest = std::max(0.0, (most - 1) / (1 + std::sqrt(most))) + 4 * kUnit; // at least 1 - kappa
    out.gap += rest * (mean_loss_ + penalty_);
    out.gap += s * std::max(0.0, 1 - kappa * kappa * (sums_.squares.hi - change) / w * (1 - 8 * kUnit)) / 2;
  }

  // Columns whose constraint is not among those that are met exactly. One that no d touches is met as it stands.
  std::vector<Index> left_over() const {
    std::vector<Index> out;
    if (claimed_.objective.lambda1 > 0 || !geometry_) return out;
    for (std::size_t s = 0; seen_.basis && s < seen_.basis->columns.size(); ++s)
      if (seen_.basis->columns[s].left_out) out.push_back(seen_.basis->columns[s].column);
    for (const Index j : geometry_->dependent())
      if (geometry_->penalty(j) == 0 && sums_.gradient_abs[j] > 0) out.push_back(j);
    return out;
  }

  // Columns left out are combinations of others in all rows, not in the curved ones alone.
  bool in_all_rows() const { return seen_.basis != nullptr && seen_.basis->any_left_out(); }

  // A column that is a combination of others in every row, without rounding, has its constraint met with theirs.
  Result<void> look_at_combinations() {
    const std::vector<Index> columns = left_over();
    if (columns.empty() || trivial_ || !(best_.gap + best_.slack <= limit())) return {};
    std::vector<double> spread;
    for (Index j = 0; j < sums_.cols; ++j) spread.push_back(std::sqrt(geometry_->square(j)));
    std::vector<DroppedColumn> dropped;
    for (const Index j : columns) dropped.push_back(seen_.basis ? written_out(*seen_.basis, j) : geometry_->dropped(j));
    auto seen = look_at_left_out(guesses_at({}, dropped, spread), claimed_.objective.intercept, first_.rows,
                                 seen_.plain, pool_, watch_, {"certifying", claimed_.passes + passes_});
    if (!seen) return std::unexpected(seen.error());
    left_out_ = *std::move(seen);
    if (left_out_.looked) ++passes_;
    if (left_out_.exact || !in_all_rows()) return {};
    const auto looked = look_at_span(geometry_->met(), claimed_.objective.intercept, first_.rows, seen_.plain, pool_,
                                     watch_, {"certifying", claimed_.passes + passes_});
    if (!looked) return std::unexpected(looked.error());
    passes_ += looked->passes;
    left_out_.exact = looked->all;
    return {};
  }

  void consider(const Bound& found, bool exact) {
    if (exact && std::isfinite(found.gap + found.slack) && found.gap + found.slack < best_.gap + best_.slack) {
      best_ = found;
      trivial_ = false;
    }
    // Without a proof that constraints are met exactly the gap is told as a number.
    if (!exact && std::isfinite(found.gap) && found.gap < near_) near_ = found.gap;
  }

  const LossClaimed& claimed_;
  SeenRows seen_;
  const LossFacts& facts_;
  RowSource& rows_;
  Pool& pool_;
  const Watch& watch_;
  bool hurried_;
  DualSums sums_, first_;
  std::optional<Geometry> geometry_;
  double objective_ = 0, mean_loss_ = 0, penalty_ = 0;
  Bound best_;
  bool trivial_ = true; // the best bound is that of d = 0, which meets every constraint
  LeftOut left_out_;    // columns that others determine
  double near_ = kInfinity;
  Index passes_ = 0;
};

Certificate Judge::written(double residual) const {
  LossOutcome found{
      .objective = objective_, .gap = best_.gap, .slack = best_.slack, .trivial = trivial_, .near = near_};
  found.residual = residual;
  found.dependent = left_over();
  found.in_all_rows = in_all_rows();
  found.left_out = left_out_;
  found.nearly_constant = varying_columns(first_.point->constant, first_.varying);
  found.floor = 8 * kUnit * kUnit * first_.size / facts_.weight();
  return verdict_of(claimed_, facts_, found, passes_);
}

LossChecked Judge::checked() const {
  LossChecked checked;
  checked.mean_loss = mean_loss_;
  checked.squares = first_.residual_squares.hi;
  checked.right = first_.right;
  checked.rows = first_.rows;
  checked.rank = geometry_ ? geometry_->rank() : rows_.cols() - std::ssize(said_constant(claimed_.objective, facts_));
  return checked;
}

// Columns far out are seen about a point near their means, which changes no score and no product of a dual point whose
// sum is zero, and leaves roundings the size of their deviations.
Result<LossChecked> checked_by(const LossClaimed& claimed, RowSource& rows, Pool& pool, const Watch& watch,
                               bool hurried) {
  const std::vector<double> shift = claimed.facts->shifts(claimed.objective);
  ShiftedRows shifted(rows, shift);
  RowSource& about = shift.empty() ? rows : static_cast<RowSource&>(shifted);
  const DoubleDouble b = constant_about(shift, claimed.w, claimed.b, 1);
  const double b_error = constant_about_error(shift, claimed.w, claimed.b);
  Judge judge(claimed,
              {.rows = about, .plain = rows, .answer = {{claimed.w.begin(), claimed.w.end()}, b}, .b_error = b_error},
              pool, watch, hurried);
  if (auto done = judge.run(); !done) return std::unexpected(done.error());
  const auto finished = [&](const Judge& by, const Basis& basis) {
    LossChecked checked = by.checked();
    checked.certificate = by.written(judge.residual());
    if (!by.curvature()) return checked;
    Gram curvature = *by.curvature();
    curvature.mean = intercept_means(basis, shift, curvature.mean);
    checked.curvature = std::make_shared<const Gram>(std::move(curvature));
    if (!basis.columns.empty()) checked.basis = std::make_shared<const Basis>(basis);
    return checked;
  };
  if (!judge.wants_basis()) return finished(judge, {});
  const auto found = find_basis(claimed.objective.intercept, claimed.facts->sums, about, nullptr, pool, watch);
  if (!found) return std::unexpected(found.error());
  LossClaimed again = claimed;
  again.passes += judge.passes() + found->passes;
  if (found->basis.columns.empty()) return finished(judge, {});
  BasisRows based(about, found->basis);
  SeenRows in_basis = seen_in_basis(claimed, shift, b, found->basis, based, rows);
  in_basis.b_error = b_error;
  Judge second(again, std::move(in_basis), pool, watch, hurried);
  if (auto done = second.run(); !done) return std::unexpected(done.error());
  return finished(second, found->basis);
}

} // namespace

Result<LossChecked> certify(const LossClaimed& claimed, const Gram*, RowSource* rows, Pool& pool, const Watch& watch) {
  const bool lines = !claimed.objective.at()->curved() || (claimed.objective.fitted_scale && claimed.scale == 0);
  bool finite = std::isfinite(claimed.b) && std::isfinite(claimed.scale) && (lines || claimed.scale > 0);
  for (const double w : claimed.w) finite = finite && std::isfinite(w);
  if (!finite)
    return fail(ErrorCode::refuted, "certificate", "a coefficient of the model is not a finite number",
                "the file was changed after the fit; fit again");
  if (static_cast<Index>(claimed.w.size()) != rows->cols())
    return fail(ErrorCode::bad_data, "certificate",
                fmt::format("the model has {} coefficients, the rows have {} features", claimed.w.size(), rows->cols()),
                "give the data the model was trained on");
  if (claimed.objective.firth) return certify_firth(claimed, *rows, pool, watch);
  if (lines) return certify_kinked(claimed, *rows, pool, watch);
  if (claimed.without_gram) return certify_wide(claimed, *rows, pool, watch);
  if (!claimed.stopped_early || watch) return checked_by(claimed, *rows, pool, watch, false);
  const auto begun = std::chrono::steady_clock::now();
  const Watch patience = [&](const Progress&) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count() < claimed.patience;
  };
  return checked_by(claimed, *rows, pool, patience, true);
}

} // namespace recta
