// How good a model is on rows, how fit a table is for a model, and what this machine can do.
#pragma once

#include <recta/estimator.hpp>

namespace recta {

struct TargetScore {
  std::string target;
  double mse = 0, rmse = 0, mae = 0, r2 = 0, largest_error = 0;
  Index largest_error_row = 0; // numbered from 1
  double mean_loss = 0;        // mean of the loss asked for
  double deviance = 0, d2 = 0; // per row, for poisson and gamma; and its share explained beside the mean; else NaN
};

// The score of a classifier on the rows evaluated. The baseline predicts the majority of the training rows, and their
// shares as probabilities.
struct ClassScore {
  std::vector<std::string> labels;
  // log_loss: NaN if the model has no probabilities; the last two are the baseline's.
  double accuracy = 0, log_loss = 0, majority_accuracy = 0, majority_log_loss = 0;
  std::string majority;
  std::vector<double> confusion; // weight of rows by true class, then by predicted class
};

// The score of a model of label sets; docs/labels.md has the formulas.
struct LabelScore {
  double hamming_loss = 0, subset_accuracy = 0, micro_f1 = 0, macro_f1 = 0, ranking_loss = 0;
  struct One {
    std::string label;
    double precision = 0, recall = 0, f1 = 0, weight = 0; // weight: of the rows that have it
  };
  std::vector<One> each;
};

struct Evaluation {
  Index rows = 0; // rows that were predicted and have a target and a positive weight
  double weight_sum = 0;
  std::string loss;
  std::vector<TargetScore> targets;  // targets that are numbers
  std::optional<ClassScore> classes; // for a target that holds labels
  std::optional<LabelScore> labels;  // for a target that is a set of labels
  double mean_loss = 0;              // two classes: the loss asked for, of labels -1 and 1 at their scores; else NaN
};

Result<Evaluation> evaluate(const Model& model, const Dataset& data, const std::string& loss = ""); // empty: its own

struct ColumnCheck {
  std::string name;
  ColumnType type = ColumnType::real;
  Index missing = 0, distinct = 0, first_missing_row = 0;  // rows are numbered from 1
  double mean = 0, deviation = 0, lowest = 0, highest = 0; // numbers only; NaN otherwise
  bool constant = false;
  std::string duplicate_of;      // an earlier column with the same values
  double variance_inflation = 0; // NaN if it has no meaning; infinity when aliased
};

struct TargetCheck {
  ColumnCheck column;
  std::vector<std::pair<std::string, Index>> classes; // labels and their rows, if it holds few enough of them
};

// A column that the others nearly determine, in the units of the data.
struct NearDependency {
  std::string column;
  double r2 = 0;                                     // R^2 of the regression on the others named, with an intercept
  std::vector<std::pair<std::string, double>> terms; // largest contribution first; the small ones left out
  double intercept = 0;
  bool exact = false;
  std::string sentence() const; // "tax = 0.98 rad + 12.1 indus + ... explains 99.1 % of tax"
};

struct Checkup {
  Index rows = 0, features = 0; // columns of numbers, sparse ones included; categories are not counted
  std::vector<ColumnCheck> columns;
  std::vector<TargetCheck> targets; // if they are known
  double scale_spread = 1;          // largest column deviation to smallest
  Index rank = 0;
  double condition = 0; // condition number of the centred, scaled columns
  std::vector<NearDependency> dependencies;
  double fit_seconds = 0;                       // estimated time of a least-squares fit here once the table is read
  std::uint64_t table_bytes = 0, fit_bytes = 0; // memory of the table, and of the fit beside it
  std::vector<std::string> advice;
};

Result<Checkup> check(const Dataset& data, const FitOptions& options = {});

struct Machine {
  std::string version, compiler, architecture, blas, simd; // simd: the level in use
  std::vector<std::string> simd_levels;                    // levels that this machine has
  int cores = 0;
  std::uint64_t memory = 0, memory_free = 0;
};
Machine machine();

} // namespace recta
