// Measures of predictions, from arrays alone: no model is needed. All take weights, one per row, from zero up; none
// means one each, and a row of weight zero is absent. A measure that has no meaning for the rows is NaN; input that
// nobody can measure (lengths that differ, NaN, negative weights) is an error. docs/metrics.md has the formulas.
#pragma once

#include <recta/error.hpp>

#include <optional>
#include <span>
#include <vector>

namespace recta::metric {

using Places = std::span<const std::int32_t>; // places of classes, from 0
using Numbers = std::span<const double>;

// The weight of rows by true class, then by predicted class.
struct Confusion {
  Index classes = 0;
  std::vector<double> weight{};

  double at(Index truth, Index predicted) const {
    return weight[static_cast<std::size_t>(truth * classes + predicted)];
  }
  double of_truth(Index k) const;
  double of_prediction(Index k) const;
  double total() const;
  double accuracy() const;
  double balanced_accuracy() const;  // mean recall of the classes that occur
  double kappa(int power = 0) const; // 0: every error counts alike; 1, 2: by |k - l|, (k - l)^2 of ordered classes
  double matthews() const;           // 0 if truth or prediction is constant
};
Result<Confusion> confusion(Places truth, Places predicted, Index classes, Numbers weights = {}, int threads = 0);

// Precision, recall and F = (1 + beta^2) P R / (beta^2 P + R); a ratio of zero to zero is `undefined`. `one`: of a
// single class. Averages over classes are plain, by the weight of the true class, or over all decisions at once.
enum class Average { one, macro, weighted, micro };
struct Rates {
  double precision = 0, recall = 0, f = 0;
};
Rates rates(const Confusion& counts, Average average, Index k = 1, double beta = 1, double undefined = 0);

// Rows of one class against all others, or against those of one other class, by a score that should be higher for
// the first.
struct Ranked {
  Places truth{};
  std::int32_t positive = 1, against = -1; // -1: all others
  const double* score = nullptr;           // of row i at i * stride
  Index stride = 1;
  Numbers weights{};
};

// A point per distinct score, the highest first: the weight of positive and of other rows that score at least as high.
struct Thresholds {
  std::vector<double> score{}, positive{}, negative{};
};
Result<Thresholds> thresholds(const Ranked& rows, int threads = 0);

struct Curve {
  std::vector<double> x{}, y{}, threshold{};
};
Curve roc_curve(const Thresholds& points);              // false against true positive rate, from (0, 0)
Curve precision_recall_curve(const Thresholds& points); // recall against precision, from (0, 1)
Curve gain_curve(const Thresholds& points);             // share of the rows against share of the positive ones
Curve lift_curve(const Thresholds& points);             // share of the rows against gain / share
double gain_at(const Curve& gain, double share);        // rows that tie are taken in proportion

// The area under the ROC curve: the probability that a positive row scores above another one, ties counting half. Exact
// in whole numbers without weights. NaN if one class is absent.
Result<double> roc_area(const Ranked& rows, int threads = 0);
Result<double> average_precision(const Ranked& rows, int threads = 0); // sum of precision times the step of recall

// With the standard error of DeLong, DeLong and Clarke-Pearson (1988), and the normal interval within [0, 1].
struct AreaInterval {
  double area = 0, standard_error = 0, lower = 0, upper = 0;
};
Result<AreaInterval> roc_area_interval(const Ranked& rows, double confidence = 0.95, int threads = 0);

// Scores of several classes: row by row, one per class.
struct ClassScores {
  Places truth{};
  const double* score = nullptr;
  Index classes = 0;
  Numbers weights{};
};
enum class Area { roc, precision_recall };
Result<std::vector<double>> one_against_rest(const ClassScores& rows, Area area, int threads = 0); // one per class
Result<std::vector<double>> one_against_one(const ClassScores& rows, int threads = 0); // ROC of k over l at k * K + l
Result<double> top_accuracy(const ClassScores& rows, Index k, int threads = 0);        // ties go to the last classes

// Probabilities by row, one per class; of two classes one per row may do, that of the class at place 1.
struct Probabilities {
  Places truth{};
  Index classes = 2;
  Numbers p{};
  Numbers weights{};
};
// p is kept within [floor, 1 - floor], as log 0 is infinite.
Result<double> log_loss(const Probabilities& rows, double floor = 0x1p-52, int threads = 0);
// The mean of sum_k (t_k - p_k)^2, halved for two classes.
Result<double> brier(const Probabilities& rows, int threads = 0);
// The first row whose probabilities do not sum to one.
std::optional<Index> row_not_summing_to_one(const Probabilities& rows, double tolerance = 2.5e-8, int threads = 0);

enum class Bins { uniform, quantile };
struct CalibrationBin {
  double lower = 0, upper = 0;                        // bounds; a probability on a bound belongs to the lower bin
  double weight = 0, mean_probability = 0, share = 0; // share: of positive rows
};
// The bins that hold rows. The scores are probabilities.
Result<std::vector<CalibrationBin>> calibration(const Ranked& rows, Index bins, Bins how, int threads = 0);
// (sum of weight |share - mean|^power / sum of weight)^(1 / power); at infinity the largest difference.
double calibration_error(const std::vector<CalibrationBin>& bins, double power = 1);

// How often each row is drawn in resample number `resample` of a bootstrap: rows draws with replacement. Times the
// weights these are the weights of the resampled rows.
std::vector<double> bootstrap_counts(Index rows, std::uint64_t seed, std::uint64_t resample);

struct Pairs {
  Numbers truth{}, predicted{}, weights{};
};
struct NumberErrors {
  double weight = 0, mse = 0, mae = 0, mape = 0, largest = 0;
  Index largest_row = -1;
  double spread = 0, error_spread = 0; // variances of the truth and of the errors
};
Result<NumberErrors> number_errors(const Pairs& rows, int threads = 0);
double explained(double unexplained, double spread); // 1 - ratio; 1 for 0 / 0, 0 for anything else over 0

// The value below which a share of the weight lies; the mean of two neighbours if it falls between them.
Result<double> quantile(Numbers values, Numbers weights, double level, int threads = 0);
Result<double> median_error(const Pairs& rows, int threads = 0);
Result<double> pinball(const Pairs& rows, double level, int threads = 0);
Result<double> d2_pinball(const Pairs& rows, double level, int threads = 0); // beside the quantile of the truth

} // namespace recta::metric
