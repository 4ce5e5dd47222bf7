#include "select/column_path.hpp"

#include "design/csc/csc_columns.hpp"
#include "select/criteria.hpp"
#include "stats/rows.hpp"

#include <numeric>

namespace recta::select {
namespace {

double weight_of(const ColumnProblem& data, Index i) {
  return data.weight.empty() ? 1 : data.weight[static_cast<std::size_t>(i)];
}

// Takes w_j x_ij off the residual of every row in `place`: row -> place among the rows looked at, or -1.
void take_off(const SparseView& x, Index j, double w, std::span<const Index>, std::span<const Index> place,
              std::span<double> residual) {
  each_in_column(x, j, [&](Index i, double value) {
    if (const Index at = place[static_cast<std::size_t>(i)]; at >= 0)
      residual[static_cast<std::size_t>(at)] -= w * value;
  });
}
void take_off(const MatrixView& x, Index j, double w, std::span<const Index> rows, std::span<const Index>,
              std::span<double> residual) {
  for (std::size_t a = 0; a < rows.size(); ++a) residual[a] -= w * element(x, rows[a], j);
}

} // namespace

HeldOut hold_out(const ColumnProblem& data, std::span<const std::int32_t> fold_of, Index fold) {
  HeldOut held;
  for (Index i = 0; i < static_cast<Index>(data.y.size()); ++i) {
    const bool out = fold_of[static_cast<std::size_t>(i)] == fold;
    held.training.push_back(out ? 0 : weight_of(data, i));
    if (!out) continue;
    held.rows.push_back(i);
    held.weight += weight_of(data, i);
  }
  return held;
}

std::vector<double> dense_column(const MatrixView& x, Index j, Index rows) {
  std::vector<double> column;
  for (Index i = 0; i < rows; ++i) column.push_back(element(x, i, j));
  return column;
}
std::vector<double> dense_column(const SparseView& x, Index j, Index rows) {
  std::vector<double> column(static_cast<std::size_t>(rows));
  each_in_column(x, j, [&](Index i, double value) { column[static_cast<std::size_t>(i)] = value; });
  return column;
}

std::unique_ptr<ElasticNetSolver> solver_over(const ColumnProblem& data, std::span<const double> weight, Pool& pool) {
  return std::visit([&](const auto& x) { return elastic_net_by_columns(x, data.y, weight, pool); }, data.x);
}

double mean_square(const ColumnProblem& data, std::span<const Index> rows, const std::vector<double>& w, double b) {
  std::vector<Index> place(data.y.size(), -1);
  std::vector<double> residual;
  for (std::size_t a = 0; a < rows.size(); ++a) {
    place[static_cast<std::size_t>(rows[a])] = static_cast<Index>(a);
    residual.push_back(data.y[static_cast<std::size_t>(rows[a])] - b);
  }
  for (std::size_t j = 0; j < w.size(); ++j)
    if (w[j] != 0)
      std::visit([&](const auto& x) { take_off(x, static_cast<Index>(j), w[j], rows, place, residual); }, data.x);
  double sum = 0, weight = 0;
  for (std::size_t a = 0; a < rows.size(); ++a) {
    sum += weight_of(data, rows[a]) * residual[a] * residual[a];
    weight += weight_of(data, rows[a]);
  }
  return sum / weight;
}

SolvedPath solve_path(const ElasticNetPathProblem& problem, const ColumnProblem& data,
                      std::span<const std::int32_t> fold_of, Index folds, Pool& pool, const Watch& watch) {
  SolvedPath out = solve_path(problem, *solver_over(data, data.weight, pool), watch);
  std::vector<Index> all(data.y.size());
  std::iota(all.begin(), all.end(), Index{0});
  for (PathPoint& point : out.points) point.mse = mean_square(data, all, point.coefficients, point.intercept);
  if (folds == 0 || out.stopped_at) return out;
  ElasticNetPathProblem same = problem; // the folds follow the penalties of the whole
  same.lambdas.clear();
  for (const PathPoint& point : out.points) same.lambdas.push_back(point.lambda);
  std::vector<double> weight;
  for (Index k = 0; k < folds; ++k) {
    const HeldOut held = hold_out(data, fold_of, k);
    const SolvedPath fold = solve_path(same, *solver_over(data, held.training, pool), watch);
    if (fold.stopped_at) {
      without_folds(out);
      return out;
    }
    weight.push_back(held.weight);
    for (std::size_t i = 0; i < fold.points.size(); ++i)
      out.points[i].fold_error.push_back(
          mean_square(data, held.rows, fold.points[i].coefficients, fold.points[i].intercept));
  }
  for (PathPoint& point : out.points) add_cross_validation(point, weight);
  return out;
}

} // namespace recta::select
