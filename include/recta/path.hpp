// A whole path of penalties at once, and how to choose among them.
#pragma once

#include <recta/estimator.hpp>

#include <cstdint>
#include <optional>

namespace recta {

struct PathOptions {
  std::vector<double> lambdas{}; // any order; empty: `count` of them, evenly spaced in the logarithm
  Index count = 100;
  double ratio = 0;        // smallest to largest lambda; 0: 1e-4 if there are more rows than features, else 1e-3
  Index folds = 0;         // folds of the cross-validation; 0: none
  bool contiguous = false; // folds are the first rows, the next rows, ...; otherwise dealt out by the seed
  std::uint64_t seed = 0;
  std::vector<std::int32_t> fold_of{}; // one number per row instead: -1 is always trained on
  // `summed`: lambdas are beside the summed loss of the rows trained on, not beside their mean. `leave_one_out`: for
  // ridge, exactly, in one more pass over the rows.
  bool summed = false, leave_one_out = false;
  bool prove =
      true; // false: points of classes are not checked, and have no objective and log-loss of the rows trained on
};

struct PathPoint {
  double lambda = 0;                // lambda1 = share lambda, lambda2 = (1 - share) lambda
  std::vector<double> coefficients; // for softmax those of the first class, then of the second, ...
  double intercept = 0;
  std::vector<double> intercepts{};                            // for softmax in its place, one per class
  Index nonzero = 0;                                           // features in use, of softmax by some class
  double degrees_of_freedom = 0;                               // the intercept not counted
  double objective = 0, mse = 0, r2 = 0, log_loss = 0, d2 = 0; // the last two of classes, for mse and r2
  // At most this far above the least objective: for points that were checked, in a fresh pass over the rows, in which
  // the tolerance was proved or was not; else by the solver's own count. The points that are checked are those of
  // classes, and those of ridge whose penalty is too small for the decomposition that all share.
  double gap = 0;
  bool checked = false, proved = false;
  std::vector<std::string> conditions{}; // for classes: further facts, such as that a plane separates them
  // NaN if not asked for or not defined. An error is the measure of rows left out.
  double cv_error = 0, cv_standard_error = 0, loo_mse = 0, gcv = 0, aic = 0, bic = 0, cp = 0;
  std::vector<double> fold_error;
};

// How far a path had come when it was stopped.
struct PathStop {
  enum class Stage { points, folds, rows_left_out }; // the work under way
  Stop reason;                                       // the time limit, or an interruption
  Stage stage = Stage::points;
  double lambda = 0; // of the point under way; NaN if all points are there
  Index points = 0;  // points of the whole path

  std::string sentence() const;
};

struct Path {
  std::string word, target, objective;
  std::string measure = "mse";                    // of rows left out; of classes "log-loss"
  std::vector<std::string> features{}, classes{}; // for softmax the labels, in the order of a point's coefficients
  double l1_share = 1;
  Index rows = 0, passes = 0;    // passes over the rows
  double lambda_max = 0;         // the least lambda without any coefficient; infinite if squares alone are penalised
  std::vector<PathPoint> points; // lambda descends
  // Set: `points` are those that were solved before the stop, as a whole path has them, and a measure of rows left out
  // that was not complete is NaN.
  std::optional<PathStop> stopped{};

  // The point that is best by a criterion: "cv", "1se" (the largest lambda within one standard error of the best),
  // "loo", "gcv", "aic", "bic", "cp". If points are missing, the best may be among them, and nothing is chosen.
  Result<Index> choose(const std::string& criterion) const;
};

const std::vector<std::string>& path_criteria();

// `word`: lasso, elastic-net, logistic, softmax (their l1-share is a parameter) or ridge; a strength among the
// parameters is refused. Folds of logistic and softmax spread the rows of each class as evenly as possible. If the
// watch or the time limit stops it before there is a point, that is an error; after that, the points so far are
// returned.
Result<Path> path(const std::string& word, const Dataset& data, const FitOptions& options = {},
                  const PathOptions& how = {}, const Watch& watch = {});
Result<Path> path(const std::string& word, const Arrays& arrays, const FitOptions& options = {},
                  const PathOptions& how = {}, const Watch& watch = {});
Result<Path> path_stream(const std::string& word, const std::string& file, const ReadOptions& read = {},
                         const FitOptions& options = {}, const PathOptions& how = {}, const Watch& watch = {});

} // namespace recta
