#include "solver/newton/columns.hpp"

#include "base/sums.hpp"
#include "design/csc/csc_columns.hpp"
#include "design/dense/dense_columns.hpp"
#include "solver/coordinate_descent/attention.hpp"
#include "solver/coordinate_descent/term.hpp"
#include "solver/newton/column_set.hpp"
#include "solver/newton/row_slopes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace recta {
namespace {

constexpr Index kLooks = 500, kSetInner = 50;
constexpr Index kStalled = 12, kRounded = 2; // looks that did not halve the gap; the same at the level of rounding
constexpr Index kTaskColumns = 128;          // per task
constexpr double kCurvature = 0.25;          // bound of the logistic loss, the only one fitted this way

using descent::Term;

class ColumnNewton {
public:
  ColumnNewton(const NewtonProblem& problem, const ColumnRows& rows, Pool& pool, const Watch& watch)
      : objective_(problem.objective), facts_(*problem.facts), rows_(rows), pool_(pool), watch_(watch),
        attention_(watch), set_(rows.x, pool), slopes_(objective_, facts_.weight(), rows.y, rows.weight, pool),
        problem_(problem), goal_(problem.goal()) {
    const auto p = std::visit([](const auto& x) { return x.cols; }, rows.x);
    for (auto* each : {&w_, &g_, &looked_at_, &safe_to_}) each->assign(static_cast<std::size_t>(p), 0.0);
    place_.assign(static_cast<std::size_t>(p), -1);
    for (Index j = 0; j < p; ++j) {
      const double unit = facts_.unit(objective_, j);
      terms_.push_back({objective_.lambda1 * unit, objective_.lambda2 * unit * unit});
      length_.push_back(objective_.intercept ? facts_.sums.deviation(j)
                                             : std::sqrt((facts_.sums.squares[j] / facts_.sums.weight).hi));
      if (!facts_.sums.constant(j, objective_.intercept) && unit > 0) live_.push_back(j);
    }
    z_.assign(rows.y.size(), 0.0);
  }

  ProximalSolution run() {
    b_ = facts_.null_intercept;
    for (std::size_t i = 0; i < z_.size(); ++i) z_[i] = b_ + (rows_.offset.empty() ? 0 : rows_.offset[i]);
    value_ = slopes_.look(z_);
    multiply(live_);
    looked_ = live_;
    for (const Index j : live_) lambda1_max_ = std::max(lambda1_max_, std::abs(g_[j]) / facts_.unit(objective_, j));
    double least = INFINITY;
    Index stalled = 0;
    for (Index look = 0;; ++look) {
      const double gap = measure(looked_);
      attention_.gap = gap;
      if (gap <= goal_) return kept();
      if (attention_.stop()) break;
      stalled = gap < 0.5 * least ? 0 : stalled + 1;
      least = std::min(least, gap);
      const bool rounded = gap <= 1e-12 * facts_.null_objective;
      const bool fine = problem_.reached(gap);
      if (look == kLooks || stalled > (rounded || fine ? kRounded : kStalled))
        return fine ? kept() : gave_up("rounding allows no smaller gap");
      screen(gap);
      take_in();
      improve();
      look_again();
    }
    solution_.interrupted = true;
    return kept();
  }

private:
  // <x_j, d> for the named columns, weighted by share.
  void multiply(const std::vector<Index>& which) {
    const auto count = static_cast<Index>(which.size());
    const auto by_design = [&](const auto& x) {
      pool_.run((count + kTaskColumns - 1) / kTaskColumns, [&](Index tile, int) {
        for (Index k = tile * kTaskColumns; k < std::min(count, (tile + 1) * kTaskColumns); ++k) {
          const Index j = which[k];
          g_[j] = x.column_dot(j, slopes_.down().data());
        }
      });
    };
    if (const auto* dense = std::get_if<MatrixView>(&rows_.x))
      by_design(DenseColumns(*dense));
    else
      by_design(CscColumns(std::get<SparseView>(rows_.x)));
    for (const Index j : which) {
      looked_at_[j] = slopes_.moved();
      set_safe(j);
    }
    ++solution_.passes;
  }
  void set_safe(Index j) {
    safe_to_[j] =
        place_[j] >= 0 ? -INFINITY : looked_at_[j] + (terms_[j].l1 * (1 - 1e-9) - std::abs(g_[j])) / length_[j];
  }

  // Every term of the gap is convex in d, so with kappa d it is at most that share, plus 1 - kappa of the loss.
  double measure(const std::vector<Index>& columns) const {
    double kappa = 1;
    for (const Index j : columns)
      if (terms_[j].unbounded(g_[j]) && std::abs(g_[j]) > terms_[j].l1)
        kappa = std::min(kappa, terms_[j].l1 / std::abs(g_[j]));
    CompensatedSum sum;
    sum.add((1 - kappa) * slopes_.mean_loss());
    for (const Index j : columns) {
      const double g = kappa * g_[j];
      sum.add(terms_[j].slack(w_[j], terms_[j].unbounded(g) ? std::clamp(g, -terms_[j].l1, terms_[j].l1) : g));
    }
    return sum.value();
  }

  void screen(double gap) {
    const double way = slopes_.moved() + std::sqrt(2 * kCurvature * gap) * (1 + 1e-9);
    std::erase_if(live_, [&](Index j) { return way < safe_to_[j]; });
  }

  // Takes in the columns that violate their condition, worst first.
  void take_in() {
    std::vector<std::pair<double, Index>> violations;
    Index used = 0;
    for (const Index j : looked_) {
      used += w_[j] != 0;
      const double excess = place_[j] < 0 ? terms_[j].violation(0, g_[j]) : 0;
      if (excess > 0) violations.emplace_back(-excess / length_[j], j);
    }
    // A sweep over the set should cost as much as a look at all columns; dense columns are multiplied by each other
    // too.
    const bool sparse = std::holds_alternative<SparseView>(rows_.x);
    const Index most =
        std::max(sparse ? std::max(Index{500}, static_cast<Index>(w_.size()) / 20) : Index{100}, 2 * used);
    const std::size_t count = std::min(violations.size(), static_cast<std::size_t>(most));
    crowded_ = count < violations.size();
    std::ranges::nth_element(violations, violations.begin() + static_cast<std::ptrdiff_t>(count));
    std::vector<Index> added;
    for (std::size_t k = 0; k < count; ++k) added.push_back(violations[k].second);
    std::ranges::sort(added);
    for (const Index j : added) {
      place_[j] = static_cast<Index>(set_.ids().size() + (&j - added.data()));
      set_safe(j);
    }
    set_.add(added);
  }

  // Newton steps over the working set, until its worst violation is a tenth of what that of all columns was.
  void improve() {
    double worst = 0;
    for (const Index j : looked_) worst = std::max(worst, terms_[j].violation(w_[j], g_[j]) / terms_[j].l1);
    const double enough = std::max(0.1 * worst, 1e-15);
    for (Index k = 0; k < kSetInner && !attention_.stop(); ++k) {
      if (!step(precision_ * std::max(1e-4 * measure(set_.ids()), 0.1 * goal_))) return;
      ++solution_.steps;
      std::vector<double> g(set_.ids().size());
      set_.products(slopes_.down(), g);
      const double before = std::exchange(worst, 0.0);
      for (std::size_t at = 0; at < g.size(); ++at) {
        const Index j = set_.ids()[at];
        g_[j] = g[at];
        worst = std::max(worst, terms_[j].violation(w_[j], g_[j]) / terms_[j].l1);
      }
      if (worst <= enough || crowded_ || (k > 0 && worst > 0.5 * before)) return;
    }
  }

  // The parabola at the point is the least squares of z - loss' / loss'' (offsets taken off) with weights loss''.
  bool step(double precision) {
    const Index n = static_cast<Index>(z_.size());
    std::vector<double> response(z_.size()), start, by;
    const std::vector<double> c = slopes_.firm();
    for (Index i = 0; i < n; ++i)
      response[i] = z_[i] - (rows_.offset.empty() ? 0 : rows_.offset[i]) + (c[i] > 0 ? slopes_.down()[i] / c[i] : 0);
    double total = 0, mean = 0, null = 0;
    for (Index i = 0; i < n; ++i) total += c[i], mean += c[i] * response[i];
    mean = objective_.intercept ? mean / total : 0;
    for (Index i = 0; i < n; ++i) null += c[i] * (response[i] - mean) * (response[i] - mean) / 2;
    ElasticNetObjective net{.lambda1 = objective_.lambda1 / total, .lambda2 = objective_.lambda2 / total};
    net.intercept = objective_.intercept;
    for (const Index j : set_.ids()) {
      const double unit = facts_.unit(objective_, j);
      net.factors1.push_back(unit);
      net.factors2.push_back(unit * unit);
      start.push_back(w_[j]);
    }
    const ElasticNetSolution solution = set_.solve(net, response, c, start, precision / std::max(null, 1e-300), watch_);
    if (solution.interrupted) attention_.stop();
    by = solution.w;
    for (std::size_t at = 0; at < by.size(); ++at) by[at] -= start[at];
    if (std::ranges::all_of(by, [](double x) { return x == 0; }))
      precision_ *= 1e-4; // squares see the remainder squared
    return descend(solution, by);
  }

  double penalty(double t, const ElasticNetSolution& to) const {
    CompensatedSum sum;
    for (std::size_t at = 0; at < to.w.size(); ++at) {
      const Index j = set_.ids()[at];
      sum.add(terms_[j].value(w_[j] + t * (to.w[at] - w_[j])));
    }
    return sum.value();
  }

  // Whether the objective fell. If it is so near the optimum that values no longer tell, the step is taken on trust.
  bool descend(const ElasticNetSolution& to, const std::vector<double>& by) {
    std::vector<double> along(z_.size(), objective_.intercept ? to.b - b_ : 0.0), trial(z_.size());
    set_.multiply(by, along);
    const double before = penalty(0, to);
    double fall = before - penalty(1, to);
    for (std::size_t i = 0; i < along.size(); ++i) fall += slopes_.down()[i] * along[i];
    const double value = value_ + before;
    const bool blind = std::abs(fall) <= 1e-12 * value;
    if (!(fall > 0) && !blind) return false;
    for (double t = 1; t > 1e-10; t *= 0.5) {
      for (std::size_t i = 0; i < trial.size(); ++i) trial[i] = z_[i] + t * along[i];
      const double loss = slopes_.try_at(trial);
      if (!(loss + penalty(t, to) <= value - 1e-4 * t * fall || (blind && std::isfinite(loss)))) continue;
      for (std::size_t at = 0; at < by.size(); ++at) {
        double& w = w_[set_.ids()[at]];
        w = t == 1 ? to.w[at] : w + t * by[at];
      }
      b_ += objective_.intercept ? t * (to.b - b_) : 0;
      std::swap(z_, trial);
      if (objective_.intercept) b_ += slopes_.centre(z_);
      value_ = slopes_.look(z_);
      return true;
    }
    return false;
  }

  // Looks at the working set, and at columns that are not known to stay zero.
  void look_again() {
    std::vector<Index> stale;
    looked_ = set_.ids();
    for (const Index j : live_)
      if (place_[j] < 0 && !(slopes_.moved() < safe_to_[j])) stale.push_back(j);
    multiply(stale);
    for (const Index j : stale)
      if (!(slopes_.moved() < safe_to_[j])) looked_.push_back(j);
  }

  ProximalSolution gave_up(std::string why) {
    solution_.gave_up = true;
    solution_.stop = std::move(why);
    return kept();
  }
  ProximalSolution kept() {
    solution_.w = std::move(w_);
    solution_.b = objective_.intercept ? b_ : 0;
    return {std::move(solution_), lambda1_max_};
  }

  const LossObjective& objective_;
  const LossFacts& facts_;
  const ColumnRows& rows_;
  Pool& pool_;
  const Watch& watch_;
  descent::Attention attention_;
  ColumnSet set_;
  RowSlopes slopes_;
  bool crowded_ = false; // more columns violate their condition than were let in
  double precision_ = 1; // of a step, relative to the remaining gap
  const NewtonProblem& problem_;
  double goal_, value_ = 0, b_ = 0, lambda1_max_ = 0;
  std::vector<Term> terms_;
  std::vector<double> length_;                      // of x_j, about its mean if there is an intercept
  std::vector<double> w_, g_, looked_at_, safe_to_; // by column; safe_to: see solver/coordinate_descent/descent.hpp
  std::vector<Index> place_;                        // in the set; -1: not in it
  std::vector<Index> live_, looked_;
  std::vector<double> z_;
  NewtonSolution solution_;
};

} // namespace

ProximalSolution solve_by_column_newton(const NewtonProblem& problem, const ColumnRows& rows, Pool& pool,
                                        const Watch& watch) {
  return ColumnNewton(problem, rows, pool, watch).run();
}

} // namespace recta
