#include "solver/gradient_descent/descend.hpp"

#include "base/random.hpp"
#include "solver/gradient_descent/run.hpp"

#include <algorithm>

namespace recta {
namespace {

struct Bounds {
  double all = 0, row = 0, weighted_row = 0; // L, L_max, and L_max if weights of mean one scale the steps
};

Bounds bounds_of(const DescentProblem& p) {
  const DescentCurvature& c = p.curvature;
  const double mean = c.rows > 0 ? c.weight / static_cast<double>(c.rows) : 1;
  return {p.loss.curvature * c.largest + p.lambda2, p.loss.curvature * c.row + p.lambda2,
          p.loss.curvature * c.weighted_row / mean + p.lambda2};
}

// L(m)
double of_batch(const Bounds& bounds, double m, double n) {
  if (m <= 1 || n <= 1) return bounds.row;
  if (m >= n) return bounds.all;
  return (n * (m - 1) * bounds.all + (n - m) * bounds.row) / (m * (n - 1));
}

// The bound on one over the rate, for the mean: the curvature bound of a step and the number of rows it sums.
struct StepBound {
  double curvature = 0, summed = 1;
};

StepBound step_bound(const DescentProblem& p) {
  const DescentSettings& s = p.settings;
  const Bounds bounds = bounds_of(p);
  const bool sum = s.reduction == Reduction::sum;
  if (s.method == DescentMethod::svrg || s.method == DescentMethod::saga) return {bounds.weighted_row, 1};
  if (s.every_row()) return {bounds.all, sum ? p.curvature.weight : 1};
  const double m = static_cast<double>(s.batch);
  return {of_batch(bounds, m, static_cast<double>(p.curvature.visits)), sum ? m : 1}; // whole weights are repetitions
}

} // namespace

double safe_rate(const DescentProblem& p) {
  const StepBound bound = step_bound(p);
  const double most = p.settings.every_row() && p.settings.method == DescentMethod::plain ? 2 : 1;
  return most / (bound.curvature * bound.summed);
}

double default_rate(const DescentProblem& p) {
  const StepBound bound = step_bound(p);
  if (!(bound.curvature > 0)) return 1; // nothing to descend on except a constant
  const bool by_rows = !p.settings.every_row();
  const double share = p.settings.method == DescentMethod::saga   ? 3
                       : p.settings.method == DescentMethod::svrg ? 4
                       : by_rows                                  ? 2
                                                                  : 1;
  return 1 / (share * bound.curvature * bound.summed);
}

Point start_of(const DescentSettings& settings, Index cols, bool intercept) {
  Point start{std::vector<double>(static_cast<std::size_t>(cols)), 0};
  if (settings.start == StartKind::random) {
    Random random(settings.seed);
    for (double& w : start.w) w = random.uniform() - 0.5;
    if (intercept) start.b = random.uniform() - 0.5;
  } else if (settings.start == StartKind::given) {
    std::copy_n(settings.given.begin(), cols, start.w.begin());
    if (static_cast<Index>(settings.given.size()) > cols) start.b = settings.given.back();
  }
  return start;
}

Point start_of(const DescentProblem& problem, Index cols) {
  if (problem.classes == 0) return start_of(problem.settings, cols, problem.intercept);
  Point start = start_of(problem.settings, problem.classes * (cols + 1), false);
  for (Index k = 0; k < problem.classes && !problem.intercept; ++k) start.w[k * (cols + 1)] = 0;
  return start;
}

Result<DescentOutcome> descend(const DescentProblem& problem, RowSource& rows, HeldRows* held, Pool& pool,
                               const Watch& watch) {
  DescentRun run(problem, rows, pool, watch);
  run.outcome.point = start_of(problem, rows.cols());
  Result<void> done;
  if (problem.settings.method == DescentMethod::accelerated)
    done = descend_accelerated(run);
  else if (problem.settings.method == DescentMethod::newton)
    done = descend_newton(run);
  else if (problem.settings.method != DescentMethod::plain)
    done = descend_corrected(run, *held);
  else if (problem.settings.every_row())
    done = descend_all_rows(run);
  else
    done = descend_by_rows(run, held);
  if (!done && done.error().code == ErrorCode::interrupted) {
    if (!run.any()) return std::unexpected(done.error());
    run.end_interrupted();
    done = {};
  }
  if (!done) return std::unexpected(done.error());
  return std::move(run.outcome);
}

} // namespace recta
