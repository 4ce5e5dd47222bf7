#include "solver/gradient_descent/run.hpp"

#include "stats/softmax/softmax.hpp"

#include <fmt/format.h>

namespace recta {

DescentRun::DescentRun(const DescentProblem& p, RowSource& source, Pool& pool, const Watch& watch)
    : problem(p), settings(p.settings), rows(source), pool_(pool), watch_(watch) {
  schedule.kind = settings.schedule;
  const bool newton = settings.method == DescentMethod::newton;
  schedule.rate = settings.rate > 0 ? settings.rate : newton ? 1 : default_rate(problem);
  schedule.c = settings.c > 0 ? settings.c : std::max(1.0, static_cast<double>(problem.curvature.visits));
  outcome.rate = schedule.rate;
  outcome.safe_rate = std::isfinite(problem.loss.curvature) && !newton ? safe_rate(problem) : 0;
}

Result<Look> DescentRun::look_at_loss(const Point& point, const Watch& watch) {
  auto at = std::make_shared<LossPoint>();
  *at = {problem.loss.of_rows, point.w, point.b, problem.target};
  const auto sums = fresh_pass(rows, LossGradient(at), pool_, watch, {"descending", outcome.passes});
  if (!sums) return std::unexpected(sums.error());
  Look out{sums->loss / sums->weight + problem.lambda2 / 2 * point.weight_square(), {sums->gradient, 0}};
  for (std::size_t j = 0; j < point.w.size(); ++j)
    out.gradient.w[j] = out.gradient.w[j] / sums->weight + problem.lambda2 * point.w[j];
  if (problem.intercept) out.gradient.b = sums->slope / sums->weight;
  return out;
}

Result<Look> DescentRun::look_at_classes(const Point& point, const Watch& watch) {
  auto at = std::make_shared<SoftmaxPoint>();
  at->classes = problem.classes;
  const Index p = rows.cols();
  for (Index k = 0; k < at->classes; ++k) {
    const auto class_weights = point.w.begin() + k * (p + 1);
    at->b.push_back(*class_weights);
    at->w.insert(at->w.end(), class_weights + 1, class_weights + 1 + p);
  }
  const auto sums = fresh_pass(rows, SoftmaxSums(at), pool_, watch, {"descending", outcome.passes});
  if (!sums) return std::unexpected(sums.error());
  Look out{sums->loss / sums->weight, {}};
  for (Index k = 0; k < at->classes; ++k) {
    out.gradient.w.push_back(problem.intercept ? sums->slope[k] / sums->weight : 0);
    for (Index j = k * p; j < (k + 1) * p; ++j) {
      out.cost += problem.lambda2 / 2 * at->w[j] * at->w[j];
      out.gradient.w.push_back(sums->gradient[j] / sums->weight + problem.lambda2 * at->w[j]);
    }
  }
  return out;
}

Result<Look> DescentRun::look(const Point& point, bool uninterruptible) {
  const Watch telling = [&](const Progress& progress) {
    Progress more = progress;
    if (any_) more.objective = outcome.cost;
    return watch_(more);
  };
  const Watch watch = uninterruptible || !watch_ ? Watch{} : telling;
  auto out = problem.classes > 0 ? look_at_classes(point, watch) : look_at_loss(point, watch);
  if (out) ++outcome.passes;
  return out;
}

void DescentRun::keep(const Point& point, const Look& look) {
  if (any_ && !(look.cost <= outcome.cost)) return;
  if (!std::isfinite(look.cost)) return;
  any_ = true;
  outcome.point = point;
  outcome.cost = look.cost;
  outcome.gradient_norm = look.gradient.norm();
}

void DescentRun::record(const Point& point, const Look& look, double rate, Index presented, const Point& move) {
  outcome.trace.push_back({.step = outcome.steps,
                           .rows = presented,
                           .rate = rate,
                           .cost = look.cost,
                           .gradient_norm = look.gradient.norm(),
                           .weights = point.w,
                           .intercept = point.b,
                           .move = move.w,
                           .intercept_move = move.b});
}

Result<Look> DescentRun::begin(const Point& start) {
  auto first = look(start);
  if (!first) return first;
  keep(start, *first);
  if (problem.record > 0) record(start, *first, 0, 0, {std::vector<double>(start.w.size()), 0});
  return first;
}

bool DescentRun::end_interrupted() {
  outcome.interrupted = true;
  return end("interrupted");
}

bool DescentRun::end_diverged(double rate) {
  outcome.diverged = true;
  const std::string safe = outcome.safe_rate > 0
                               ? fmt::format("a constant rate below {:.6g} is safe", outcome.safe_rate)
                               : std::string("no rate is safe from every start, and a smaller one may do");
  return end(fmt::format("diverged at the rate {:.6g}; {}", rate, safe));
}

bool DescentRun::at_limit() {
  if (settings.steps == 0 || outcome.steps < settings.steps) return false;
  return end(fmt::format("{} step{}", settings.steps, settings.steps == 1 ? "" : "s"));
}

bool DescentRun::at_pass_limit(Index passes) {
  if (settings.passes == 0 || passes < settings.passes) return false;
  return end(fmt::format("{} pass{}", settings.passes, settings.passes == 1 ? "" : "es"));
}

bool DescentRun::small_move(double norm) {
  if (!(norm < settings.move)) return false;
  return end(fmt::format("the step is shorter than {:.6g}", settings.move));
}

bool DescentRun::small_gradient(const Look& look) {
  if (!(settings.gradient > 0) || !(look.gradient.norm() <= settings.gradient)) return false;
  return end(fmt::format("the norm of the gradient is at most {:.3g}", settings.gradient));
}

bool DescentRun::go_on(double fraction) {
  if (!watch_) return true;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(20)) return true;
  last_ = now;
  Progress progress{.stage = "descending", .pass = outcome.passes, .fraction = fraction};
  if (any_) progress.objective = outcome.cost;
  return watch_(progress);
}

} // namespace recta
