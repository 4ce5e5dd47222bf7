// Lasso and elastic net at many penalties, each beginning where the one before it ended.
#pragma once

#include "base/pool.hpp"
#include "objective/elastic_net/objective.hpp"
#include "solver/elastic_net.hpp"
#include "stats/fold_grams/fold_grams.hpp"

#include <recta/path.hpp>

namespace recta::select {

struct ElasticNetPathProblem {
  ElasticNetObjective objective = {}; // lambdas are set from the grid
  double l1_share = 1;
  double tolerance = 1e-10;
  std::vector<double> lambdas = {}; // given ones, descending; or empty
  Index count = 100;
  double ratio = 1e-3;
};

struct SolvedPath {
  double lambda_max = 0;
  std::vector<PathPoint> points;      // lambda, coefficients, intercept, nonzero, gap
  std::optional<double> stopped_at{}; // interrupted at this lambda; the points before it are there
  Index planned = 0;                  // points of the whole path
  bool folds_stopped = false;         // interrupted in the folds: no point has errors of rows left out
};

void without_folds(SolvedPath& path); // errors of only some of them are not kept

// Along `lambdas`, or the grid if there are none.
SolvedPath solve_path(const ElasticNetPathProblem& problem, ElasticNetSolver& solver, const Watch& watch);

// The path on all rows, and the error of the paths of all training sets on the folds they left out: from statistics
// alone. Without folds `grams` has one Gram.
SolvedPath solve_path(const ElasticNetPathProblem& problem, const FoldGrams& grams, Index target, Pool& pool,
                      const Watch& watch);

} // namespace recta::select
