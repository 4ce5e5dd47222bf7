#include "family/loss/solve.hpp"

#include "family/loss/descent.hpp"
#include "family/loss/wide.hpp"
#include "params/params.hpp"
#include "solver/interior_point/interior_point.hpp"
#include "solver/least_squares.hpp"
#include "solver/newton/firth.hpp"
#include "solver/newton/newton.hpp"
#include "solver/newton/proximal.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

std::string runaway_text(const std::vector<double>& direction, const LossFacts& facts, const Places& places) {
  std::size_t most = 0;
  double largest = 0;
  for (std::size_t j = 0; j + 1 < direction.size(); ++j) {
    const double size = std::abs(direction[j]) * facts.sums.deviation(static_cast<Index>(j));
    if (size > largest) largest = size, most = j;
  }
  return "the likelihood has no finite maximum: it rises for ever as the coefficient of " +
         (largest > 0 ? places.feature(static_cast<Index>(most)) : std::string("the intercept")) + " goes to " +
         ((largest > 0 ? direction[most] : direction.back()) < 0 ? "minus infinity" : "infinity") +
         ", and the coefficients are those at which it has all but got there";
}

Result<LossSolution> solved_by_interior_point(const LossObjective& objective, const LossFacts& facts, double tolerance,
                                              const TaskRows& task) {
  const auto solution =
      solve_by_interior_point({objective, &facts, tolerance}, task.rows.source, task.pool, task.watch());
  if (!solution) return std::unexpected(solution.error());
  LossSolution out{.w = solution->w, .b = solution->b, .solver = "interior-point", .stop = solution->stop};
  out.reason = fmt::format("the loss is made of straight lines: {} steps of an interior point method{}",
                           solution->steps, solution->vertex ? ", then the vertex itself" : "");
  out.interrupted = solution->interrupted;
  out.gave_up = solution->gave_up;
  out.passes = solution->passes;
  if (out.interrupted) out.stop = task.clock.stop_reason();
  return out;
}

} // namespace

Result<LossSolution> solve_at_scale_zero(const LossObjective& objective, const LossFacts& facts, double tolerance,
                                         const TaskRows& task) {
  auto out = solved_by_interior_point(objective, facts, tolerance, task);
  if (!out) return out;
  out->scale = 0;
  out->reason = "the scale is zero: so many rows are met exactly that the fit is that of the absolute error";
  return out;
}

Result<LossSolution> descend_as_asked(const Request& request, const LossObjective& objective, const TaskRows& task) {
  auto descent = descend_loss(request, task, objective, nullptr, 0);
  if (!descent) return std::unexpected(descent.error());
  LossSolution out{.w = std::move(descent->point.w), .b = descent->point.b, .solver = word(request.params, "solver")};
  out.stop = descent->stop;
  out.reason = fmt::format("as asked; {} step{} from the rate {:.6g}", descent->steps, descent->steps == 1 ? "" : "s",
                           descent->rate);
  out.interrupted = descent->interrupted;
  out.gave_up = true;
  out.passes = descent->passes;
  out.without_gram = task.rows.source.cols() > kGramCols;
  return out;
}

Result<LossSolution> solve_loss(const LossObjective& objective, const LossFacts& facts, double tolerance,
                                const TaskRows& task, const std::vector<double>& start) {
  const auto& [schema, rows, pool, clock] = task;
  if (!objective.at()->curved()) return solved_by_interior_point(objective, facts, tolerance, task);
  if (objective.fitted_scale && facts.null_objective == 0)
    return solve_at_scale_zero(objective, facts, tolerance, task);
  const NewtonProblem problem{objective, &facts, tolerance, start};
  double lambda1_max = std::numeric_limits<double>::quiet_NaN();
  Result<NewtonSolution> solution;
  const auto wide = wide_route(objective, facts, rows);
  if (wide || objective.lambda1 > 0) {
    auto proximal = wide ? solve_wide(*wide, problem, rows, pool, clock.watch())
                         : solve_by_proximal_newton(problem, rows.source, pool, clock.watch());
    if (!proximal) return std::unexpected(proximal.error());
    lambda1_max = proximal->lambda1_max;
    solution = std::move(proximal->newton);
  } else {
    solution = objective.firth ? solve_by_firth(problem, rows.source, pool, clock.watch())
                               : solve_by_newton(problem, rows.source, pool, clock.watch());
  }
  if (!solution) return std::unexpected(solution.error());
  LossSolution out{
      .w = solution->w, .b = solution->b, .scale = solution->scale, .solver = "newton", .stop = solution->stop};
  out.lambda1_max = lambda1_max;
  out.reason = fmt::format(
      "{}: {} {} of Newton's method{}", objective.firth ? "Firth's correction" : "the loss is curved", solution->steps,
      solution->steps == 1 ? "step" : "steps", objective.lambda1 > 0 ? ", each an elastic net from p x p sums" : "");
  if (wide) {
    out.solver = wide->solver;
    out.reason = fmt::format("{}: {} {} of Newton's method", wide->reason, solution->steps,
                             solution->steps == 1 ? "step" : "steps");
    out.without_gram = true;
  }
  out.interrupted = solution->interrupted;
  out.gave_up = solution->gave_up;
  out.approximate = solution->approximate;
  out.passes = solution->passes;
  if (out.interrupted) out.stop = task.clock.stop_reason();
  if (objective.lambda1 == 0 && objective.lambda2 == 0) out.runaway = solution->runaway; // a penalty ends every way
  if (!out.runaway.empty() && !objective.log_odds())
    out.conditions.push_back(runaway_text(out.runaway, facts, places_of(schema, rows.name)));
  return out;
}

} // namespace recta
