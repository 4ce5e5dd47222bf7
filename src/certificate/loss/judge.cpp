#include "certificate/loss/judge.hpp"

#include "base/numbers.hpp"
#include "certificate/least_squares/exact_span.hpp"
#include "stats/pass.hpp"

#include <cmath>

namespace recta {

Result<void> LossJudge::run() {
  auto point = fresh_point();
  point->gather = point->bound_value = true;
  point->gaps = claimed_.objective.at()->by_residual(); // whose rows may have no curvature: without_curvature()
  point->constant = said_constant(claimed_.objective, facts_);
  if (auto done = look(point); !done) return done.error().code == ErrorCode::interrupted ? brief() : done;
  first_ = sums_;
  add_objective();
  geometry_.emplace(claimed_.objective, facts_, first_.gram, claimed_.w, pool_, view_.basis);
  best_ = without_dual_point();
  if (!geometry_->any()) {
    if (every_column_forgives()) consider(without_curvature(), true);
    return {};
  }
  if (auto done = project(); !done) return or_best_so_far(std::move(done));
  // Far from the optimum the step leaves the domain, and the plain dual point may be the better one.
  const bool penalised = geometry_->unit().empty();
  if (penalised && !(best_.gap + best_.slack <= limit())) return or_best_so_far(plain());
  return or_best_so_far(look_at_combinations());
}

bool LossJudge::wants_basis() const {
  const LossObjective& objective = claimed_.objective;
  if (hurried_ || objective.lambda1 > 0 || objective.lambda2 > 0 || !geometry_ || !geometry_->any()) return false;
  if (objective_ <= limit()) return false; // d = 0 is enough
  const bool weak = geometry_->least_eigenvalue() < kWeakCurvature && !(best_.gap + best_.slack <= limit());
  return geometry_->least_eigenvalue() == 0 || weak || (!left_over().empty() && !left_out_.exact);
}

// The caller who stopped the fit is waiting: F itself in one pass without products, and no bound except F* >= 0.
Result<void> LossJudge::brief() {
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

// the best bound so far
Result<void> LossJudge::or_best_so_far(Result<void> done) const {
  return hurried_ && !done && done.error().code == ErrorCode::interrupted ? Result<void>{} : done;
}

std::shared_ptr<DualPoint> LossJudge::fresh_point() const {
  auto point = std::make_shared<DualPoint>();
  point->loss = claimed_.objective.at(claimed_.scale);
  for (const DoubleDouble& w : view_.answer.w) {
    point->w.push_back(w.hi);
    if (view_.basis) point->w_low.push_back(w.lo);
  }
  point->b = view_.answer.b.hi;
  point->b_low = view_.answer.b.lo;
  point->b_error = view_.b_error;
  point->z_error = view_.z_error;
  point->scale = claimed_.objective.fitted_scale;
  point->spare = 0.01 * limit();
  return point;
}

Result<void> LossJudge::look(std::shared_ptr<const DualPoint> point) {
  auto sums = fresh_pass(rows_, DualSums(std::move(point)), pool_, watch_, {"certifying", claimed_.passes + passes_});
  if (!sums) return std::unexpected(sums.error());
  sums_ = *std::move(sums);
  ++passes_;
  return {};
}

void LossJudge::add_objective() {
  const DoubleDouble penalty = penalty_of(claimed_.objective, facts_, claimed_.w);
  mean_loss_ = (first_.value / first_.weight).hi;
  penalty_ = penalty.hi;
  objective_ = (first_.value / first_.weight + penalty).hi + (claimed_.objective.fitted_scale ? claimed_.scale / 2 : 0);
}

// Columns whose constraint is not among those that are met exactly. One that no d touches is met as it stands.
std::vector<Index> LossJudge::left_over() const {
  std::vector<Index> out;
  if (claimed_.objective.lambda1 > 0 || !geometry_) return out;
  for (std::size_t s = 0; view_.basis && s < view_.basis->columns.size(); ++s)
    if (view_.basis->columns[s].left_out) out.push_back(view_.basis->columns[s].column);
  for (const Index j : geometry_->dependent())
    if (geometry_->penalty(j) == 0 && sums_.gradient_abs[j] > 0) out.push_back(j);
  return out;
}

// A column that is a combination of others in every row, without rounding, has its constraint met with theirs.
Result<void> LossJudge::look_at_combinations() {
  const std::vector<Index> columns = left_over();
  if (columns.empty() || trivial_ || !(best_.gap + best_.slack <= limit())) return {};
  std::vector<double> spread;
  for (Index j = 0; j < sums_.cols; ++j) spread.push_back(std::sqrt(geometry_->square(j)));
  std::vector<DroppedColumn> dropped;
  for (const Index j : columns) dropped.push_back(view_.basis ? written_out(*view_.basis, j) : geometry_->dropped(j));
  auto combinations = look_at_left_out(guesses_at({}, dropped, spread), claimed_.objective.intercept, first_.rows,
                                       {view_.plain, pool_, watch_}, {"certifying", claimed_.passes + passes_});
  if (!combinations) return std::unexpected(combinations.error());
  left_out_ = *std::move(combinations);
  if (left_out_.looked) ++passes_;
  if (left_out_.exact || !in_all_rows()) return {};
  const auto looked = look_at_span(geometry_->met(), claimed_.objective.intercept, first_.rows,
                                   {view_.plain, pool_, watch_}, {"certifying", claimed_.passes + passes_});
  if (!looked) return std::unexpected(looked.error());
  passes_ += looked->passes;
  left_out_.exact = looked->all;
  return {};
}

void LossJudge::consider(const Bound& bound, bool exact) {
  if (exact && std::isfinite(bound.gap + bound.slack) && bound.gap + bound.slack < best_.gap + best_.slack) {
    best_ = bound;
    trivial_ = false;
  }
  // Without a proof that constraints are met exactly the gap is told as a number.
  if (!exact && std::isfinite(bound.gap) && bound.gap < near_) near_ = bound.gap;
}

Certificate LossJudge::written(double residual) const {
  LossOutcome outcome{
      .objective = objective_, .gap = best_.gap, .slack = best_.slack, .trivial = trivial_, .near = near_};
  outcome.residual = residual;
  outcome.dependent = left_over();
  outcome.in_all_rows = in_all_rows();
  outcome.left_out = left_out_;
  outcome.nearly_constant = varying_columns(first_.point->constant, first_.varying);
  outcome.floor = 8 * kUnit * kUnit * first_.size / facts_.weight();
  outcome.hidden = hidden();
  return recta::written(claimed_, facts_, outcome, passes_);
}

LossChecked LossJudge::checked() const {
  LossChecked checked;
  checked.mean_loss = mean_loss_;
  checked.squares = first_.residual_squares.hi;
  checked.right = first_.right;
  checked.rows = first_.rows;
  checked.rank = geometry_ ? geometry_->rank() : rows_.cols() - std::ssize(said_constant(claimed_.objective, facts_));
  return checked;
}

} // namespace recta
