#include "family/softmax/task.hpp"

#include "solver/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr double kNear = 1e-3; // a tolerance within which a dual point is always found
constexpr Index kSparseCols = 500, kManyCols = 2000;

} // namespace

SoftmaxTask softmax_task(const LossObjective& objective, LossFacts facts, std::span<const double> class_weight) {
  SoftmaxTask task{std::ssize(class_weight), objective, std::move(facts)};
  for (Index j = 0; j < task.facts.sums.cols; ++j) {
    const double unit = task.facts.unit(objective, j);
    task.unit.push_back(task.facts.sums.constant(j, objective.intercept) ? 0 : unit * unit);
    task.mean.push_back(task.facts.sums.mean(j).hi);
    task.sd.push_back(task.facts.sums.deviation(j));
  }
  // The start and the null objective are those of the best constant probabilities: the shares of the classes, or none
  // without an intercept.
  const auto k = static_cast<double>(task.classes);
  double total = 0, mean = 0;
  for (const double weight : class_weight) total += weight, mean += std::log(weight) / k;
  task.facts.null_objective = objective.intercept ? 0 : std::log(k);
  for (const double weight : class_weight) {
    task.start.push_back(objective.intercept ? std::log(weight) - mean : 0);
    if (objective.intercept) task.facts.null_objective += weight / total * std::log(total / weight);
  }
  return task;
}

bool softmax_is_wide(const Rows& rows, bool penalised) {
  const Index p = rows.source.cols();
  if (p > kGramCols || !penalised) return p > kGramCols;
  return (rows.sparse && p > kSparseCols) || (p > kManyCols && rows.source.rows().value_or(p) < p);
}

Result<void> check_softmax(const Schema& schema, const Rows& rows, bool penalised) {
  if (rows.single_pass)
    return fail(ErrorCode::usage, rows.name, "softmax reads the rows several times, and these can be read only once",
                "save the data to a file first");
  if (!schema.offset.empty())
    return fail(ErrorCode::usage, "softmax", "an offset would be the same for all classes, and change nothing",
                "leave it out");
  if (softmax_is_wide(rows, penalised) && !penalised)
    return fail(ErrorCode::usage, rows.name,
                fmt::format("{} columns are too many for the p x p sums that softmax works on without a penalty",
                            rows.source.cols()),
                fmt::format("give lambda above 0, or choose {} columns or fewer", kGramCols));
  return {};
}

SoftmaxProblem problem_of(const SoftmaxTask& task, const Rows& rows, double tolerance) {
  return {.classes = task.classes,
          .rows = task.facts.sums.rows,
          .lambda1 = task.objective.lambda1,
          .lambda2 = task.objective.lambda2,
          .unit = task.unit,
          .mean = task.mean,
          .sd = task.sd,
          .intercept = task.objective.intercept,
          .start = task.start,
          .null_objective = task.facts.null_objective,
          .tolerance = std::min(tolerance, kNear),
          .wide = softmax_is_wide(rows, task.objective.lambda1 + task.objective.lambda2 > 0),
          .sparse = rows.sparse};
}

SoftmaxClaimed claimed_by(const SoftmaxTask& task, const SoftmaxSolution& solution, double tolerance,
                          const Schema& schema) {
  return {.classes = task.classes,
          .w = solution.w,
          .b = solution.b,
          .lambda1 = task.objective.lambda1,
          .lambda2 = task.objective.lambda2,
          .unit = task.unit,
          .centre = task.mean,
          .sd = task.sd,
          .intercept = task.objective.intercept,
          .null_objective = task.facts.null_objective,
          .tolerance = tolerance,
          .stop = solution.stop,
          .stopped_early = solution.interrupted,
          .gave_up = solution.gave_up,
          .passes = task.facts.passes + solution.passes + 1,
          .feature = places_of(schema, {}).feature};
}

} // namespace recta
