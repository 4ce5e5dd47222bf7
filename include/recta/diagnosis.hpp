// The evidence behind a fit, row by row and column by column: influence, residuals, collinearity; and how two models
// compare. docs/diagnosis.md gives every formula.
#pragma once

#include <recta/evaluate.hpp>

namespace recta {

// Deleted: as the fit without this row would have it. NaN if a figure has no meaning (a penalty, no degrees of freedom
// left).
struct RowInfluence {
  Index row = 0; // numbered from 1
  double weight = 1, target = 0, fitted = 0, residual = 0;
  double leverage = 0;     // share of its own target in its fitted value
  double standardised = 0; // residual in units of its own standard error
  double studentised = 0;  // the same with the error estimated from the other rows: Student's t under normal errors
  double deleted = 0;      // residual of the row under the fit without it
  double cooks_distance = 0, dffits = 0;
  bool alone = false; // leverage 1 to rounding: nothing but this row determines its fit; what is deleted is infinite
  std::vector<std::string> remarks; // "leverage", "outlier", "influence"
};

struct ResidualTest {
  std::string word;                               // breusch-pagan, white, jarque-bera, omnibus, durbin-watson
  double statistic = 0, freedom = 0, p_value = 0; // freedom: of chi squared; NaN if there is none
  std::string sentence;
};

struct TargetDiagnosis {
  std::string target;
  std::vector<RowInfluence> rows;      // rows of positive weight, in order
  std::vector<Index> most_influential; // indices into rows, largest Cook's distance (or deleted residual) first
  double press = 0;                    // sum of weights times squared deleted residuals
  double predicted_r2 = 0;             // 1 - press / total sum of squares
  Index outlier = -1;                  // index of the largest studentised residual
  double outlier_p_value = 0;          // Bonferroni's bound over all rows
  double skewness = 0, kurtosis = 0;
  std::vector<ResidualTest> tests;
};

// One singular direction of the columns scaled to unit length, the constant one included: its condition index, and the
// share of each coefficient's variance that it carries (Belsley, Kuh and Welsch).
struct ConditionIndex {
  double singular_value = 0, index = 0;
  std::vector<double> shares; // the intercept's first if there is one, then one per feature
};

struct Diagnosis {
  Index rows = 0;
  double parameters = 0; // sum of the leverages: rank and intercept, less with a penalty
  double degrees_of_freedom = 0;
  double large_leverage = 0, large_cooks_distance = 0, large_dffits = 0; // above these a row is remarked on
  std::vector<std::string> columns;                                      // the columns of the shares
  std::vector<double> variance_inflation;                                // one per feature; NaN: constant
  std::vector<ConditionIndex> condition_indices;                         // ascending; empty above 300 columns
  std::vector<TargetDiagnosis> targets;
  std::vector<std::string> findings; // in words, worst first
};

// The rows are those the model was trained on; others are refused.
Result<Diagnosis> diagnose(const Model& model, const Dataset& data, int threads = 0, const Watch& watch = {});
Result<Diagnosis> diagnose(const Model& model, const Arrays& arrays, int threads = 0, const Watch& watch = {});

// Akaike's and Schwarz's criteria with k coefficients, sigma not counted: 2 k - 2 ln L and k ln N - 2 ln L. With a
// penalty, k is the trace of the matrix that maps y to the fit.
struct Information {
  double parameters = 0, aic = 0, aicc = 0, bic = 0;
};
Information information(const LinearSummary& linear, const TargetFit& fit);

// A model and one that contains it, fitted to the same rows by least squares: is what was added worth it?
struct Comparison {
  struct Target {
    std::string target;
    double f = 0, f_p_value = 0;                               // test of the added coefficients being zero
    double likelihood_ratio = 0, likelihood_ratio_p_value = 0; // 2 (ln L large - ln L small), chi squared
    double mallows_cp = 0;                                     // of the small model, with the large model's sigma
    Information small, large;
    std::string sentence;
  };
  double added = 0, degrees_of_freedom = 0; // both are degrees of freedom of F
  std::vector<std::string> features;        // features that only the large model has
  std::vector<Target> targets;
};
Result<Comparison> compare(const Model& small, const Model& large);
Result<Comparison> compare(const Model& small, const Model& large, const Dataset& data); // and both are of these rows

// Intervals at new rows, from least squares with equal variances: of the mean there, or of one more observation.
enum class IntervalOf { observation, mean };
struct Intervals {
  Values prediction, lower, upper; // one row of numbers per row of data, one column per target
};
Result<Intervals> predict_interval(const Model& model, const Dataset& data, double level = 0.95,
                                   IntervalOf of = IntervalOf::observation, int threads = 0);
Result<Intervals> predict_interval(const Model& model, const Arrays& rows, double level = 0.95,
                                   IntervalOf of = IntervalOf::observation, int threads = 0);

} // namespace recta
