// Cross-validation of any model over a grid of any of its parameters (docs/cross_validation.md).
//
// Whatever is learned is learned from the rows trained on: levels of categories, fill-in values, knots of feature maps,
// means and deviations, principal components, columns left out.
#pragma once

#include <recta/estimator.hpp>
#include <recta/plot.hpp>
#include <recta/split.hpp>

namespace recta {

struct GridAxis {
  std::string name;               // of a parameter: see grid_parameters
  std::vector<ParamValue> values; // all different
};

// The parameters that a grid can have: those of the model word, and options of fits such as poly, standardise, missing.
std::vector<ParamInfo> grid_parameters(const ModelInfo& model);
// `text` is "lambda=0.1,1,10", "lambda=1e-4..1e2:log:20", "poly=1..9:linear:5", "poly=1..4" or a list of such. A value
// with a comma stands in quotes: basis="spline(age, 3)","spline(age, 5)". "degree" is poly, unless the model has one.
Result<GridAxis> grid_axis(const std::string& word, const std::string& text);

struct CrossValidationOptions {
  std::vector<GridAxis> grid{}; // points are all combinations, the last axis moving fastest; empty: one point
  SplitPlan splits{};
  std::string groups{}, time{}, id{}; // columns; those of groups and identifiers are not features
  std::vector<std::string> scores{};  // of recta/scores.hpp; the first one chooses; empty: the usual ones of the model
  bool one_standard_error = false;    // the simplest point whose mean is within one standard error of the best
  bool training = false;              // the scores of the rows trained on as well
  bool refit = true;                  // fit the point chosen to all rows
  // A file that keeps what was done: a search that finds one goes on from it. Its points need not be those of this
  // grid; data, splits, scores and all other options must be the same.
  std::string resume{};
};

struct ScoreValues {
  double mean = 0, standard_error = 0; // NaN if not all splits are there; of a single split there is no standard error
  std::vector<double> folds{};         // one per split; NaN if it has not been fitted or the score has no value
};

struct GridPoint {
  Params params{};                     // the values of the axes
  std::vector<ScoreValues> scores{};   // in the order of CrossValidation::scores
  std::vector<ScoreValues> training{}; // if they were asked for
  std::string failure{};               // why there is no model in some split; empty: there are all
  double seconds = 0;                  // of its fits and their scores
};

struct CrossValidation {
  std::string word, target;
  std::vector<GridAxis> grid{};
  std::vector<std::string> scores{};
  std::vector<GridPoint> points{};
  Index rows = 0, splits = 0;       // rows that take part
  Index resumed = 0;                // fits that were there already
  Index best = -1;                  // -1: some points are missing, and the best may be among them
  std::vector<std::string> notes{}; // such as a class that some folds have no row of
  std::string stopped{};            // "time limit" or "interrupted"; empty: it is whole
  std::optional<Model> model{};     // the point chosen, fitted to all rows
};

// Points that differ in lambda alone are solved along one path if the model has one. A point that cannot be fitted
// says why, and the others go on; an error if all fail. If the watch or the time limit stops it, whole splits are kept.
Result<CrossValidation> cross_validate(const std::string& word, const Dataset& data, const FitOptions& options = {},
                                       const CrossValidationOptions& how = {}, const Watch& watch = {});

// The scores against the first axis: one line for every combination of the others, up to eight, with bands of one
// standard error; with those of the rows trained on if they are there.
Result<plot::Picture> cross_validation_picture(const CrossValidation& search);

} // namespace recta
