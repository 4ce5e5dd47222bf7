#include "certificate/loss/wide.hpp"

#include "base/numbers.hpp"
#include "certificate/loss/dual_sums.hpp"
#include "certificate/loss/penalty_bound.hpp"
#include "certificate/loss/verdict.hpp"
#include "loss/logistic/logistic.hpp"
#include "stats/pass.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr double kCurvature = loss::logistic::Loss::kCurvature; // the loss that is fitted so wide

class WideJudge {
public:
  WideJudge(const LossClaimed& claimed, RowSource& rows, Pool& pool, const Watch& watch)
      : claimed_(claimed), objective_(claimed.objective), facts_(*claimed.facts), rows_(rows), pool_(pool),
        watch_(watch) {}

  Result<void> run() {
    auto point = fresh_point();
    point->gaps = !objective_.intercept; // with one, d is moved first
    point->bound_value = true;
    for (Index j = 0; j < rows_.cols(); ++j)
      if (!(facts_.unit(objective_, j) > 0)) point->constant.emplace_back(j, facts_.sums.mean(j).hi);
    if (auto done = look(point); !done) return done;
    first_ = sums_;
    add_objective();
    best_ = {.gap = value_, .slack = hidden() + 64 * kUnit * value_}; // d = 0
    if (!objective_.intercept) {
      consider(bound(0));
      return {};
    }
    return meet_intercept();
  }

  LossChecked checked() const {
    LossOutcome outcome{.objective = value_, .gap = best_.gap, .slack = best_.slack, .trivial = trivial_};
    outcome.nearly_constant = varying_columns(first_.point->constant, first_.varying);
    outcome.residual = residual_of(claimed_, first_.gradient, first_.gradient_abs);
    outcome.floor = 8 * kUnit * kUnit * first_.size / facts_.weight();
    outcome.hidden = hidden();
    LossChecked out;
    out.certificate = written(claimed_, facts_, outcome, passes_);
    out.mean_loss = mean_loss_;
    out.squares = first_.residual_squares.hi;
    out.right = first_.right;
    out.rows = first_.rows;
    out.rank = std::ranges::count_if(claimed_.w, [](double w) { return w != 0; });
    return out;
  }

private:
  std::shared_ptr<DualPoint> fresh_point() const {
    auto point = std::make_shared<DualPoint>();
    point->loss = objective_.at();
    point->w = claimed_.w;
    point->b = claimed_.b;
    point->spare = 0.01 * claimed_.tolerance * facts_.null_objective;
    const Index blocks = rows_.rows().value_or(0) / block_rows(rows_.cols());
    point->run = std::clamp<Index>(blocks / 16, 1, usual_run(rows_.cols()));
    return point;
  }

  Result<void> look(std::shared_ptr<const DualPoint> point) {
    auto sums = fresh_pass(rows_, DualSums(std::move(point)), pool_, watch_, {"certifying", claimed_.passes + passes_});
    if (!sums) return std::unexpected(sums.error());
    sums_ = *std::move(sums);
    ++passes_;
    return {};
  }

  // What rounding may hide of the mean loss.
  double hidden() const { return std::max(0.0, first_.value_at_most / facts_.weight() - mean_loss_); }

  void add_objective() {
    const DoubleDouble penalty = penalty_of(objective_, facts_, claimed_.w);
    mean_loss_ = (first_.value / first_.weight).hi;
    penalty_ = penalty.hi;
    value_ = (first_.value / first_.weight + penalty).hi;
  }

  // d moved until its sum is zero, with room for the exact move that is left.
  Result<void> meet_intercept() {
    if (!(first_.curved > 0)) return {};
    const double unit = 1 / std::sqrt(first_.curved * (1 - 1e-9)); // at least one over the root of the exact sum
    const auto left = [&] { return unit * (std::abs(sums_.sum.hi) + DualSums::kRounding * sums_.sum_abs); };
    double q = first_.sum.hi / first_.curved;
    double beta = unit * (8 * kUnit * first_.sum_abs + 1e-9 * std::abs(first_.sum.hi));
    for (int tries = 0; tries < 3; ++tries) {
      auto point = fresh_point();
      point->q_b = q;
      point->d_b = unit;
      point->beta = beta;
      if (auto done = look(point); !done) return done;
      if (left() <= beta) {
        consider(bound(left()));
        return {};
      }
      q += sums_.sum.hi / first_.curved;
      beta = 2 * left();
    }
    return {};
  }

  // `left`: |e| / sqrt(sum v c), what the exact move is in units of the intercept's constraint.
  Bound bound(double left) const {
    const double weight = facts_.weight();
    std::vector<PenaltyTerm> terms;
    for (Index j = 0; j < sums_.cols; ++j) {
      const double unit = facts_.unit(objective_, j);
      if (!(unit > 0)) continue; // constant: no d with the sum zero touches it
      const double w = claimed_.w[j], l1 = objective_.lambda1 * unit, l2 = objective_.lambda2 * unit * unit;
      const double m = objective_.intercept ? facts_.sums.mean(j).hi : 0;
      const double side = w > 0 ? 1 : w < 0 ? -1 : 0;
      const DoubleDouble due = DoubleDouble(weight) * (two_prod(l2, w) + l1 * side);
      const double short_of = (sums_.product(j) - sums_.sum * m - due).hi;
      const double about = facts_.sums.spread(j).hi + 256 * kUnit * kUnit * facts_.sums.squares[j].hi;
      const double error = 2 * DualSums::kRounding * (sums_.gradient_abs[j] + std::abs(m) * sums_.sum_abs) +
                           64 * kUnit * std::abs(due.hi) + 2 * kUnit * std::abs(short_of);
      const double moved = left > 0 ? std::sqrt(kCurvature * about) * left * (1 + 1e-9) : 0;
      terms.push_back({w, l1, l2, short_of / weight, (error + moved) / weight});
    }
    Bound out{.gap = (sums_.gap / weight).hi, .slack = (1 + 1e-9) * sums_.slack / weight};
    add_penalties(terms, mean_loss_, out);
    out.slack += 64 * kUnit * (out.gap + kUnit * penalty_);
    return out;
  }

  void consider(const Bound& bound) {
    if (!(bound.gap + bound.slack < best_.gap + best_.slack)) return;
    best_ = bound;
    trivial_ = false;
  }

  const LossClaimed& claimed_;
  const LossObjective& objective_;
  const LossFacts& facts_;
  RowSource& rows_;
  Pool& pool_;
  const Watch& watch_;
  DualSums sums_, first_;
  double value_ = 0, mean_loss_ = 0, penalty_ = 0;
  Bound best_;
  bool trivial_ = true; // the best bound is that of d = 0, which meets every constraint
  Index passes_ = 0;
};

} // namespace

Result<LossChecked> certify_wide(const LossClaimed& claimed, RowSource& rows, Pool& pool, const Watch& watch) {
  WideJudge judge(claimed, rows, pool, watch);
  if (auto done = judge.run(); !done) return std::unexpected(done.error());
  return judge.checked();
}

} // namespace recta
