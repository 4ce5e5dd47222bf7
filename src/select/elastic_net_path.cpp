#include "select/elastic_net_path.hpp"

#include "select/criteria.hpp"

#include <algorithm>
#include <atomic>

namespace recta::select {
namespace {

ElasticNetObjective at(const ElasticNetPathProblem& problem, double lambda) {
  ElasticNetObjective objective = problem.objective;
  objective.lambda1 = problem.l1_share * lambda;
  objective.lambda2 = (1 - problem.l1_share) * lambda;
  return objective;
}

PathPoint point_of(double lambda, ElasticNetSolution solution) {
  PathPoint point;
  point.lambda = lambda;
  point.nonzero = std::ranges::count_if(solution.w, [](double w) { return w != 0; });
  point.coefficients = std::move(solution.w);
  point.intercept = solution.b;
  point.gap = solution.gap;
  return point;
}

} // namespace

void without_folds(SolvedPath& path) {
  path.folds_stopped = true;
  for (PathPoint& point : path.points) forget_folds(point);
}

SolvedPath solve_path(const ElasticNetPathProblem& problem, ElasticNetSolver& solver, const Watch& watch) {
  SolvedPath out;
  out.lambda_max = solver.lambda1_max(problem.objective) / problem.l1_share;
  const std::vector<double> lambdas =
      problem.lambdas.empty() ? lambda_grid(out.lambda_max, problem.ratio, problem.count) : problem.lambdas;
  out.planned = std::ssize(lambdas);
  for (const double lambda : lambdas) {
    ElasticNetSolution solution = solver.solve(at(problem, lambda), problem.tolerance, watch);
    if (solution.interrupted) {
      out.stopped_at = lambda;
      break;
    }
    out.points.push_back(point_of(lambda, std::move(solution)));
  }
  return out;
}

SolvedPath solve_path(const ElasticNetPathProblem& problem, const FoldGrams& grams, Index target, Pool& pool,
                      const Watch& watch) {
  const Gram all = grams.total();
  const auto solver = elastic_net_by_gram(all, target);
  SolvedPath out = solve_path(problem, *solver, watch);
  for (PathPoint& point : out.points) point.mse = mean_square(all, target, point.coefficients, point.intercept);
  const Index folds = grams.folds.count;
  if (folds == 0 || out.stopped_at) return out;

  ElasticNetPathProblem same = problem; // the folds follow the penalties of the whole
  same.lambdas.clear();
  for (PathPoint& point : out.points) {
    same.lambdas.push_back(point.lambda);
    point.fold_error.resize(static_cast<std::size_t>(folds));
  }
  const std::vector<Gram> training = grams.training();
  std::atomic<bool> interrupted = false;
  pool.run(folds, [&](Index k, int worker) {
    const auto fold_solver = elastic_net_by_gram(training[static_cast<std::size_t>(k)], target);
    // Only the calling thread may call the watch; the others hear of it here.
    const Watch listen = [&](const Progress& progress) {
      if (worker == 0 && watch && !watch(progress)) interrupted = true;
      return !interrupted;
    };
    const SolvedPath fold = solve_path(same, *fold_solver, listen);
    for (std::size_t i = 0; i < fold.points.size(); ++i)
      out.points[i].fold_error[static_cast<std::size_t>(k)] = mean_square(
          grams.fold[static_cast<std::size_t>(k)], target, fold.points[i].coefficients, fold.points[i].intercept);
  });
  if (interrupted) {
    without_folds(out);
    return out;
  }
  std::vector<double> weight;
  for (Index k = 0; k < folds; ++k) weight.push_back(grams.fold[static_cast<std::size_t>(k)].weight);
  for (PathPoint& point : out.points) add_cross_validation(point, weight);
  return out;
}

} // namespace recta::select
