#include "certificate/loss/kink_judge.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "certificate/least_squares/exact_span.hpp"
#include "certificate/loss/geometry.hpp"
#include "stats/pass.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr Index kMostNear = 20000;
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

} // namespace

KinkJudge::KinkJudge(const LossClaimed& claimed, ProofRows view, Pool& pool, const Watch& watch, bool hurried)
    : claimed_(claimed), view_(std::move(view)), facts_(*claimed.facts), rows_(view_.rows), pool_(pool), watch_(watch),
      hurried_(hurried), pieces_(loss::pieces(claimed.objective.loss, claimed.objective.parameter)) {
  for (const loss::Piece& piece : pieces_)
    low_ += piece.low, high_ += piece.high, shift_ = std::max(shift_, piece.shift);
  for (Index j = 0; j < rows_.cols(); ++j) {
    const double unit = facts_.unit(claimed.objective, j);
    Term term{.a = claimed.objective.lambda1 * unit,
              .t = claimed.objective.lambda2 * unit * unit,
              .low = -kInfinity,
              .high = kInfinity};
    term.rounding = 64 * kUnit * term.a;
    if (claimed.objective.standardise) term.rounding += 64 * kUnit * term.t * std::abs(claimed.w[j]);
    term.left_out = facts_.sums.constant(j, claimed.objective.intercept);
    terms_.push_back(term);
  }
  for (std::size_t s = 0; view_.basis && s < view_.basis->columns.size(); ++s)
    if (view_.basis->columns[s].left_out) terms_[view_.basis->columns[s].column].left_out = true;
}

Result<void> KinkJudge::run() {
  const Index y = facts_.sums.cols;
  const double size =
      std::sqrt(std::max(0.0, (facts_.sums.squares[y] / facts_.sums.weight).hi)) + std::abs(view_.answer.b.hi);
  double near = std::max(1e-7 * size, 8 * kUnit * scale()); // an answer of large coefficients is met to rounding only
  const auto stopped = [](const Result<void>& done) { return !done && done.error().code == ErrorCode::interrupted; };
  auto done = gathered(near);
  const bool briefly = hurried_ && stopped(done);
  if (briefly) done = brief(near);
  if (!done) return done;
  add_objective();
  outcome_.gap = outcome_.objective; // d = 0
  outcome_.slack = 64 * kUnit * outcome_.objective + blur();
  outcome_.residual = 1;
  outcome_.hidden = blur();
  outcome_.nearly_constant = varying_columns(sums_.point->constant, sums_.varying);
  if (briefly) return {};
  done = listened(near, size);
  return hurried_ && stopped(done) ? Result<void>{} : done; // the best bound so far
}

// Rows at kinks, as far out as not to be too many, and the products of all rows.
Result<void> KinkJudge::gathered(double& near) {
  for (int tries = 0;; ++tries, near *= 1e-4) {
    if (auto done = look(near, tries == 0, watch_); !done) return done;
    if (sums_.count <= kMostNear || tries == 2) return {};
  }
}

// The caller who stopped the fit is waiting: F itself in one pass without products, and no bound except F* >= 0.
Result<void> KinkJudge::brief(double near) {
  return look(near, false, {});
}

// The search may be stopped in the midst of a system, too.
Result<void> KinkJudge::listened(double near, double size) {
  const Listening listening(watch_, "certifying", claimed_.passes + passes_);
  try {
    if (auto done = search(near, size); !done) return done;
    return look_at_combinations();
  } catch (const Interrupted&) {
    return fail(ErrorCode::interrupted, "certifying", "stopped before the check was done");
  }
}

bool KinkJudge::wants_basis() const {
  if (penalised() || claimed_.stopped_early || !geometry_) return false;
  if (outcome_.objective <= claimed_.tolerance * facts_.null_objective) return false; // d = 0 is enough
  const double least = geometry_->least_eigenvalue();
  return least == 0 || (least < kWeakCurvature && !holds()) ||
         (!outcome_.dependent.empty() && !outcome_.left_out.exact);
}

LossChecked KinkJudge::checked() const {
  LossChecked out;
  out.certificate = written(claimed_, facts_, outcome_, passes_);
  out.mean_loss = mean_loss_;
  out.squares = sums_.residual_squares.hi;
  out.rows = sums_.rows;
  for (Index j = 0; j < rows_.cols(); ++j)
    out.rank += claimed_.objective.lambda1 > 0 ? claimed_.w[j] != 0 : !terms_[j].left_out;
  return out;
}

// Penalised columns forgive a shortfall; if they are large beside their penalty they do not, and are met exactly as
// well. If rows at kinks are many, or their squares count, a plane gives them their d.
Result<void> KinkJudge::search(double near, double size) {
  for (const bool all : {false, true}) {
    if (holds() || (all && !penalised())) continue;
    if (auto done = stand(all); !done) return done;
    std::size_t before = kNone;
    for (const double share : {1e-9, 1e-5, 1e-2, 1.0}) {
      if (sums_.count > kMostNear || holds()) continue;
      const std::size_t free = dual_->free_count(sums_, share * near);
      if (free == before) continue; // they are the same
      for (const Weighing weighing : {Weighing::by_length, Weighing::by_cost})
        if (!holds() && (weighing == Weighing::by_length || (penalised() && !all)))
          consider(sums_, dual_->chosen(sums_, share * near, weighing), share * near);
      before = free;
    }
  }
  if (sums_.count > kMostNear || claimed_.objective.fitted_scale || sums_.near.size() > 1000)
    for (const double share : {1e-14, 1e-11, 1e-8})
      if (!holds())
        if (auto done = spread(share * size); !done) return done;
  return {};
}

std::shared_ptr<KinkPoint> KinkJudge::fresh_point(double near) const {
  auto point = std::make_shared<KinkPoint>();
  point->pieces = pieces_;
  for (const DoubleDouble& w : view_.answer.w) {
    point->w.push_back(w.hi);
    if (view_.basis) point->w_low.push_back(w.lo);
  }
  point->b = view_.answer.b;
  point->z_error = view_.z_error;
  point->near = near;
  point->most = static_cast<std::size_t>(kMostNear);
  return point;
}

Result<KinkSums> KinkJudge::pass(std::shared_ptr<const KinkPoint> point, const Watch& watch) {
  auto sums = fresh_pass(rows_, KinkSums(std::move(point)), pool_, watch, {"certifying", claimed_.passes + passes_});
  if (sums) ++passes_;
  return sums;
}

Result<void> KinkJudge::look(double near, bool gather, const Watch& watch) {
  const auto point = fresh_point(near);
  point->gather = gather;
  point->constant = said_constant(claimed_.objective, facts_);
  auto sums = pass(point, watch);
  if (!sums) return std::unexpected(sums.error());
  sums_ = *std::move(sums);
  if (gather) gram_ = std::move(sums_.gram);
  return {};
}

void KinkJudge::add_objective() {
  DoubleDouble penalty = 0.0;
  for (std::size_t j = 0; j < terms_.size(); ++j) penalty += terms_[j].value(claimed_.w[j]);
  mean_loss_ = (sums_.value / sums_.weight).hi;
  outcome_.objective = mean_loss_ + penalty.hi;
  outcome_.floor = 16 * kUnit * (sums_.sum_abs / facts_.weight() + high_ - low_) * scale();
}

// The error of the mean loss, at most.
double KinkJudge::blur() const {
  return (1 + 1e-9) * (high_ - low_) * sums_.blur / facts_.weight();
}

double KinkJudge::scale() const {
  double total = std::abs(claimed_.b) + std::sqrt((facts_.sums.squares[facts_.sums.cols] / facts_.sums.weight).hi);
  for (Index j = 0; j < rows_.cols(); ++j)
    total += std::abs(claimed_.w[j]) * std::sqrt((facts_.sums.squares[j] / facts_.sums.weight).hi);
  return total;
}

// Chooses the columns that are met exactly: those without a penalty, or all that do not depend on others.
Result<void> KinkJudge::stand(bool all) {
  LossObjective plain = claimed_.objective;
  plain.lambda2 = all ? 0 : claimed_.objective.lambda1 + claimed_.objective.lambda2;
  plain.lambda1 = 0;
  geometry_.emplace(plain, facts_, gram_, claimed_.w, pool_, view_.basis);
  dual_.emplace(claimed_, terms_, *geometry_, basis_error());
  if (!penalised()) outcome_.dependent = geometry_->dependent();
  for (std::size_t s = 0; view_.basis && s < view_.basis->columns.size(); ++s)
    if (view_.basis->columns[s].left_out) outcome_.dependent.push_back(view_.basis->columns[s].column);
  outcome_.in_all_rows = true; // the Gram is that of all rows
  LongestRow empty;
  empty.unit = std::make_shared<const std::vector<double>>(
      geometry_->unit().empty() ? std::vector<double>(claimed_.w.size()) : geometry_->unit());
  empty.centre = std::make_shared<const std::vector<double>>(geometry_->centre());
  empty.intercept = geometry_->unit_intercept();
  auto longest = fresh_pass(rows_, empty, pool_, watch_, {"certifying", claimed_.passes + passes_});
  if (!longest) return std::unexpected(longest.error());
  ++passes_;
  longest_ = (1 + 1e-9) * std::sqrt(longest->square);
  return {};
}

// |d| of a row is at most the steepest slope, so the root of sum v d^2 is at most that times the root of the weight.
std::vector<double> KinkJudge::basis_error() const {
  std::vector<double> out = view_.error;
  for (double& each : out) each *= std::max(-low_, high_) * std::sqrt(facts_.weight()) * (1 + 1e-9);
  return out;
}

// A column that is a combination of others exactly, in every row, has its constraint met with theirs.
Result<void> KinkJudge::look_at_combinations() {
  if (outcome_.dependent.empty() || outcome_.trivial || !holds()) return {};
  std::vector<double> spread;
  for (Index j = 0; j < rows_.cols(); ++j) spread.push_back(facts_.sums.deviation(j));
  std::vector<DroppedColumn> dropped;
  for (const Index j : outcome_.dependent)
    dropped.push_back(view_.basis ? written_out(*view_.basis, j) : geometry_->dropped(j));
  auto combinations = look_at_left_out(guesses_at({}, dropped, spread), claimed_.objective.intercept, sums_.rows,
                                       {view_.plain, pool_, watch_}, {"certifying", claimed_.passes + passes_});
  if (!combinations) return std::unexpected(combinations.error());
  outcome_.left_out = *std::move(combinations);
  if (outcome_.left_out.looked) ++passes_;
  if (outcome_.left_out.exact || view_.basis == nullptr) return {};
  const auto looked = look_at_span(geometry_->met(), claimed_.objective.intercept, sums_.rows,
                                   {view_.plain, pool_, watch_}, {"certifying", claimed_.passes + passes_});
  if (!looked) return std::unexpected(looked.error());
  passes_ += looked->passes;
  outcome_.left_out.exact = looked->all;
  return {};
}

} // namespace recta
