// Steps that see all rows: batch gradient descent, and Nesterov's accelerated one (Beck and Teboulle's FISTA without a
// proximal part) with O'Donoghue and Candes' restart: momentum is dropped where it points uphill.
#include "solver/gradient_descent/run.hpp"

namespace recta {
namespace {

// Under a constant rate the cost of a quadratic is a sum of powers, so once it rises it rises for ever; the cost of any
// convex smooth loss never rises below the safe rate. If the slope is bounded, the cost need not rise for ever: it may
// go back and forth between two points far apart, and then returns to the same height again and again.
class Rising {
public:
  bool seen(double cost, bool unsafe) {
    constexpr double kRounding = 1e-12;
    rises_ = cost > before_ * (1 + kRounding) && unsafe ? rises_ + 1 : 0;
    far_ += cost > 1e3 * first_ && unsafe ? 1 : 0;
    before_ = cost;
    return rises_ >= 3 || far_ >= 3;
  }
  explicit Rising(double cost) : first_(cost), before_(cost) {}

private:
  double first_, before_;
  int rises_ = 0, far_ = 0;
};

constexpr double kGrown = 100; // times the initial cost, if no rate is safe

} // namespace

Result<void> descend_all_rows(DescentRun& run) {
  Point at = run.outcome.point;
  auto look = run.begin(at);
  if (!look) return std::unexpected(look.error());
  const Point nowhere{std::vector<double>(at.w.size()), 0};
  const double sum = run.settings.reduction == Reduction::sum ? run.problem.curvature.weight : 1;
  const Index visits = run.problem.curvature.rows;
  Rising rising(look->cost);
  const double first = look->cost;
  Point total = nowhere; // of all points after the first step, for their mean
  Point since = nowhere; // moves since the last one on record
  Index presented = 0;
  for (; !run.small_gradient(*look); presented += visits) {
    const double rate = run.schedule.at(presented);
    Point move = nowhere;
    move.add(-rate * sum, look->gradient);
    at.add(1, move);
    since.add(1, move);
    ++run.outcome.steps;
    if (look = run.look(at); !look) return std::unexpected(look.error());
    run.keep(at, *look);
    if (run.settings.average && run.outcome.steps > 1) total.add(1, at);
    const bool last = !std::isfinite(look->cost) || !at.finite();
    const bool unsafe = rate >= run.outcome.safe_rate;
    // After too long a step on an exponential the cost may fall again, but from so high that it takes too long.
    const bool beyond = !std::isfinite(run.problem.loss.curvature) && look->cost > kGrown * first;
    const bool ends = last || beyond || rising.seen(look->cost, unsafe)
                          ? run.end_diverged(rate)
                          : run.small_move(move.norm()) || run.at_limit() || run.at_pass_limit(run.outcome.steps);
    if (run.problem.record > 0 && !last && (ends || run.outcome.steps % run.problem.record == 0)) {
      run.record(at, *look, rate, presented + visits, since);
      since = nowhere;
    }
    if (ends) break;
  }
  if (run.outcome.diverged) return {};
  run.record_last(at, *look, run.schedule.at(presented - visits), presented, since);
  if (run.settings.average && run.outcome.steps > 1) {
    at = nowhere;
    at.add(1 / static_cast<double>(run.outcome.steps - 1), total);
    if (look = run.look(at, true); !look) return std::unexpected(look.error());
  }
  run.take(at, *look);
  return {};
}

Result<void> descend_accelerated(DescentRun& run) {
  Point at = run.outcome.point, ahead = at;
  const Point nowhere{std::vector<double>(at.w.size()), 0};
  const double sum = run.settings.reduction == Reduction::sum ? run.problem.curvature.weight : 1;
  double momentum = 1, first = 0;
  const Index visits = run.problem.curvature.rows;
  for (Index presented = 0;; presented += visits) {
    const auto look = run.look(ahead);
    if (!look) return std::unexpected(look.error());
    if (presented == 0) first = look->cost;
    if (presented == 0 && run.problem.record > 0) run.record(at, *look, 0, 0, nowhere);
    run.keep(ahead, *look);
    const double rate = run.schedule.at(presented);
    const bool grown = look->cost > 1e3 * first && rate > run.outcome.safe_rate;
    if (grown || !std::isfinite(look->cost)) return run.end_diverged(rate), Result<void>{};
    if (run.small_gradient(*look)) return run.take(ahead, *look), Result<void>{};
    Point next = ahead;
    next.add(-rate * sum, look->gradient);
    Point move = next;
    move.add(-1, at);
    const bool uphill = dot(look->gradient, move) > 0;
    if (uphill) momentum = 1;
    const double grows = uphill ? 1 : (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    at = next;
    ahead = at;
    if (!uphill) ahead.add((momentum - 1) / grows, move);
    momentum = grows;
    ++run.outcome.steps;
    const bool ends = run.small_move(move.norm()) || run.at_limit() || run.at_pass_limit(run.outcome.steps);
    if (ends || (run.problem.record > 0 && run.outcome.steps % run.problem.record == 0)) {
      const auto here = run.look(at);
      if (!here) return std::unexpected(here.error());
      run.keep(at, *here);
      if (run.problem.record > 0) {
        Point since = at;
        since.add(-1, {run.outcome.trace.back().weights, run.outcome.trace.back().intercept});
        run.record(at, *here, rate, presented + visits, since);
      }
    }
    if (ends) return {};
  }
}

} // namespace recta
