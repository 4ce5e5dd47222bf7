// Overfitting made visible: the error on rows trained on beside the error on rows left out, as rows are added and as a
// penalty grows weaker.
#pragma once

#include <recta/path.hpp>
#include <recta/plot.hpp>

#include <cstdint>

namespace recta {

struct LearningOptions {
  std::vector<double> shares{}; // shares of the rows not left out, above 0 and up to 1; empty: ten, from a tenth to all
  Index folds = 5;
  std::uint64_t seed = 0; // seed of the folds and of the order in which rows are added
};

struct LearningPoint {
  Index rows = 0;                    // trained on, in the first fold; others have one more or less
  double training = 0, left_out = 0; // errors, means over the folds
  double training_standard_error = 0, left_out_standard_error = 0;
  std::vector<double> fold_training, fold_left_out;
};

struct LearningCurve {
  std::string word, target;
  std::string measure = "mse"; // of classes "error rate": the share of the weight that is predicted wrong
  Index rows = 0;
  std::vector<LearningPoint> points{}; // rows ascend
};

// Every row is left out once. Rows are added in an order drawn by the seed; for classes, every prefix of that order has
// about their shares. A level that only rows left out have counts as no level at all.
Result<LearningCurve> learning_curve(const std::string& word, const Dataset& data, const FitOptions& options = {},
                                     const LearningOptions& how = {}, const Watch& watch = {});

Result<plot::Picture> learning_picture(const LearningCurve& curve);

// The errors of a path that left rows out, by folds or one by one, against lambda.
Result<plot::Picture> validation_picture(const Path& path);

} // namespace recta
