#include "solver/sums_answer.hpp"

#include "stats/pass.hpp"

#include <cmath>
#include <limits>

namespace recta {
namespace {

template <Accumulator A>
Result<A> first_pass(RowSource& rows, const A& empty, Pool& pool, const Watch& watch) {
  auto partial = reduce(rows, empty, pool, watch, {"gathering statistics", 0});
  if (!partial) return std::unexpected(partial.error());
  return partial->total(&pool);
}

} // namespace

Result<ColumnSums> first_look(RowSource& rows, const LeastSquaresProblem& problem, Pool& pool, const Watch& watch,
                              LeastSquaresSolution& solution) {
  solution.passes = 1;
  const ColumnSums empty(rows.cols(), rows.targets());
  const bool small = gram_precision(rows.rows(), rows.cols(), rows.targets()) == Precision::extended;
  if (problem.gram) solution.gram = problem.gram;
  if (problem.gram || !small) // if a Gram is given, the rows were read before
    return problem.gram ? fresh_pass(rows, empty, pool, watch, {"gathering statistics", 1})
                        : first_pass(rows, empty, pool, watch);
  auto both = first_pass(rows, Both<Gram, ColumnSums>{Gram(rows.cols(), rows.targets(), Precision::extended), empty},
                         pool, watch);
  if (!both) return std::unexpected(both.error());
  solution.gram = std::make_shared<const Gram>(std::move(both->first));
  return std::move(both->second);
}

RowUnits penalty_units(const LeastSquaresObjective& objective, const ColumnSums& sums) {
  RowUnits units{std::vector<double>(sums.size(), 0.0), std::vector<double>(sums.cols, 0.0)};
  for (Index j = 0; j < sums.cols; ++j) {
    if (objective.centred()) units.centre[j] = sums.mean(j).hi;
    if (sums.constant(j, objective.centred())) continue;
    units.length[j] =
        (objective.standardise ? sums.deviation(j) : 1) * std::sqrt(objective.penalised() ? objective.factor(j) : 1.0);
  }
  for (Index t = 0; t < sums.targets && objective.intercept; ++t)
    units.centre[sums.cols + t] = sums.mean(sums.cols + t).hi;
  return units;
}

void write_down(const LeastSquaresProblem& problem, const ColumnSums& sums, const std::vector<std::vector<double>>& w,
                LeastSquaresSolution& solution) {
  const LeastSquaresObjective& objective = problem.objective;
  solution.cols = sums.cols;
  solution.targets = sums.targets;
  solution.rows = sums.rows;
  solution.weight = sums.weight.hi;
  solution.inverse_intercept = std::numeric_limits<double>::quiet_NaN();
  for (Index j = 0; j < sums.cols; ++j) {
    solution.mean.push_back(sums.mean(j).hi);
    solution.deviation.push_back(sums.deviation(j));
    if (sums.constant(j, objective.centred())) solution.constant.push_back(j);
  }
  for (Index t = 0; t < sums.targets; ++t) {
    const Index z = sums.cols + t;
    const DoubleDouble total = objective.intercept ? sums.spread(z) : sums.squares[z];
    solution.target_square.push_back(total.hi);
    solution.target_square_low.push_back(total.lo);
    solution.w.insert(solution.w.end(), w[t].begin(), w[t].end());
    DoubleDouble b = objective.intercept ? sums.mean(z) : DoubleDouble(0.0);
    for (Index j = 0; j < sums.cols && objective.centred(); ++j) b -= sums.mean(j) * w[t][j];
    solution.b.push_back(b.hi);
  }
}

} // namespace recta
