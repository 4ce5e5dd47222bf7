// Scores of classifiers.
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "evaluate/score/measure.hpp"

#include <algorithm>
#include <cmath>

namespace recta::score {
namespace {

using metric::Average;

const char* any_classes(const JudgedRows&) {
  return nullptr;
}
const char* two_classes(const JudgedRows& rows) {
  return rows.classes() == 2 ? nullptr : "it is a score of two classes; macro_ and weighted_ ones are of several";
}
const char* several_classes(const JudgedRows& rows) {
  return rows.classes() > 2 ? nullptr : "it is a score of more than two classes";
}
const char* probabilities(const JudgedRows& rows) {
  return rows.probability.empty() ? "the model has no probabilities" : nullptr;
}

const char* beta_objection(double beta) {
  return beta >= 0 ? nullptr : "beta is a number from 0 up";
}
const char* top_objection(double k) {
  return k >= 1 && k == std::floor(k) && k < 1e9 ? nullptr : "k is a whole number from 1 up";
}
const char* share_objection(double share) {
  return share > 0 && share <= 1 ? nullptr : "the share of the rows is above 0 and at most 1";
}

Result<metric::Confusion> counts_of(const MeasureInput& input) {
  return metric::confusion(input.rows.truth, input.rows.predicted, input.rows.classes(), input.weights, input.threads);
}

template <double (*of)(const metric::Confusion&)>
Result<double> from_counts(const MeasureInput& input) {
  return number_from(counts_of(input), of);
}
double accuracy(const metric::Confusion& counts) {
  return counts.accuracy();
}
double error_rate(const metric::Confusion& counts) {
  return 1 - counts.accuracy();
}
double balanced(const metric::Confusion& counts) {
  return counts.balanced_accuracy();
}
double kappa(const metric::Confusion& counts) {
  return counts.kappa();
}
double matthews(const metric::Confusion& counts) {
  return counts.matthews();
}

template <Average average, double metric::Rates::* rate>
Result<double> rate_of(const MeasureInput& input) {
  const double beta = std::isnan(input.number) ? 1 : input.number;
  return number_from(counts_of(input), [&](const metric::Confusion& counts) {
    return metric::rates(counts, average, input.rows.positive, beta).*rate;
  });
}

// The weight of the rows of each class.
std::vector<double> class_weights(const MeasureInput& input) {
  std::vector<CompensatedSum> sums(at(input.rows.classes()));
  for (Index i = 0; i < input.rows.rows; ++i)
    sums[at(input.rows.truth[at(i)])].add(input.weights.empty() ? 1 : input.weights[at(i)]);
  std::vector<double> out;
  for (const CompensatedSum& sum : sums) out.push_back(sum.value());
  return out;
}

// Two classes: the positive one's. Several: each against the rest, averaged over those that occur.
template <metric::Area area, bool weighted>
Result<double> area_of_classes(const MeasureInput& input) {
  const auto one = [&](Index k) {
    const metric::Ranked ranked = input.rows.ranked(k, input.weights);
    return area == metric::Area::roc ? metric::roc_area(ranked, input.threads)
                                     : metric::average_precision(ranked, input.threads);
  };
  if (input.rows.classes() == 2) return one(input.rows.positive);
  const std::vector<double> of_class = class_weights(input);
  CompensatedSum sum, weights;
  for (Index k = 0; k < input.rows.classes(); ++k) {
    if (of_class[at(k)] == 0) continue;
    const auto area_of_class = one(k);
    if (!area_of_class) return area_of_class;
    const double weight = weighted ? of_class[at(k)] : 1;
    sum.add_product(weight, *area_of_class);
    weights.add(weight);
  }
  return sum.value() / weights.value();
}

// Hand and Till (2001): the mean of both areas over the pairs of classes that occur.
Result<double> pairs_area(const MeasureInput& input) {
  const Index k = input.rows.classes();
  const metric::Ranked ranked = input.rows.ranked(0, input.weights);
  const auto areas = metric::one_against_one(
      {.truth = input.rows.truth, .score = ranked.score, .classes = k, .weights = input.weights}, input.threads);
  if (!areas) return std::unexpected(areas.error());
  CompensatedSum sum;
  double pairs = 0;
  for (const double area : *areas) {
    if (std::isnan(area)) continue;
    sum.add(area);
    ++pairs;
  }
  return sum.value() / pairs;
}

Result<double> top_accuracy(const MeasureInput& input) {
  const metric::Ranked ranked = input.rows.ranked(0, input.weights);
  return metric::top_accuracy(
      {.truth = input.rows.truth, .score = ranked.score, .classes = input.rows.classes(), .weights = input.weights},
      static_cast<Index>(input.number), input.threads);
}

template <bool lift>
Result<double> gain(const MeasureInput& input) {
  const auto points = metric::thresholds(input.rows.ranked(input.rows.positive, input.weights), input.threads);
  if (!points) return std::unexpected(points.error());
  const double share = metric::gain_at(metric::gain_curve(*points), input.number);
  return lift ? share / input.number : share;
}

metric::Probabilities probabilities_of(const MeasureInput& input) {
  return {.truth = input.rows.truth,
          .classes = input.rows.classes(),
          .p = input.rows.probability,
          .weights = input.weights};
}

Result<double> log_loss(const MeasureInput& input) {
  return metric::log_loss(probabilities_of(input), 0x1p-52, input.threads);
}
Result<double> brier(const MeasureInput& input) {
  return metric::brier(probabilities_of(input), input.threads);
}

// The share explained of what the shares of the classes would lose.
template <bool log>
Result<double> d2(const MeasureInput& input) {
  const auto loss = log ? log_loss(input) : brier(input);
  if (!loss) return loss;
  const std::vector<double> weights = class_weights(input);
  const double all = compensated_sum(weights);
  CompensatedSum null;
  for (const double weight : weights) {
    const double share = weight / all;
    if (share > 0) null.add(log ? -share * std::log(share) : share * (1 - share));
  }
  const double spread = null.value() / (!log && input.rows.classes() == 2 ? 2 : 1);
  return spread == 0 ? kNaN : 1 - *loss / spread;
}

// Two classes: bins of the positive one's probability. Several: of the probability of the class predicted, against
// whether it is the true one.
Result<double> calibration_error(const MeasureInput& input) {
  constexpr Index kBins = 10;
  const JudgedRows& rows = input.rows;
  const Index k = rows.classes();
  std::vector<std::int32_t> right;
  std::vector<double> confidence;
  for (Index i = 0; i < rows.rows; ++i) {
    const Index place = k == 2 ? rows.positive : rows.predicted[at(i)];
    right.push_back(rows.truth[at(i)] == place);
    confidence.push_back(std::clamp(rows.probability[at(i * k + place)], 0.0, 1.0));
  }
  const metric::Ranked ranked{.truth = right, .score = confidence.data(), .weights = input.weights};
  return number_from(metric::calibration(ranked, kBins, metric::Bins::uniform, input.threads),
                     [](const auto& bins) { return metric::calibration_error(bins); });
}

} // namespace

const std::vector<Measure>& class_measures() {
  using metric::Area, metric::Rates;
  constexpr auto kP = &Rates::precision, kR = &Rates::recall, kF = &Rates::f;
  static const std::vector<Measure> all = {
      {"accuracy", "share of the rows predicted right", kNoNumber, true, any_classes, from_counts<accuracy>},
      {"error_rate", "share of the rows predicted wrong", kNoNumber, false, any_classes, from_counts<error_rate>},
      {"balanced_accuracy", "mean recall of the classes", kNoNumber, true, any_classes, from_counts<balanced>},
      {"kappa", "Cohen's agreement beyond chance", kNoNumber, true, any_classes, from_counts<kappa>},
      {"matthews", "correlation of truth and prediction", kNoNumber, true, any_classes, from_counts<matthews>},
      {"precision", "of rows predicted positive, the share that are", kNoNumber, true, two_classes,
       rate_of<Average::one, kP>},
      {"recall", "of positive rows, the share predicted to be", kNoNumber, true, two_classes,
       rate_of<Average::one, kR>},
      {"f", "of precision and recall, which counts beta times as much", 1, true, two_classes, rate_of<Average::one, kF>,
       beta_objection},
      {"macro_precision", "mean over classes", kNoNumber, true, any_classes, rate_of<Average::macro, kP>},
      {"macro_recall", "mean over classes", kNoNumber, true, any_classes, rate_of<Average::macro, kR>},
      {"macro_f", "mean over classes", 1, true, any_classes, rate_of<Average::macro, kF>, beta_objection},
      {"weighted_precision", "mean by the weight of the classes", kNoNumber, true, any_classes,
       rate_of<Average::weighted, kP>},
      {"weighted_recall", "mean by the weight of the classes", kNoNumber, true, any_classes,
       rate_of<Average::weighted, kR>},
      {"weighted_f", "mean by the weight of the classes", 1, true, any_classes, rate_of<Average::weighted, kF>,
       beta_objection},
      {"micro_f", "over all decisions at once", 1, true, any_classes, rate_of<Average::micro, kF>, beta_objection},
      {"top_", "share of the rows whose class is among the k that score highest", 2, true, several_classes,
       top_accuracy, top_objection},
      {"roc_area", "area under the ROC curve; several classes: mean of each against the rest", kNoNumber, true,
       any_classes, area_of_classes<Area::roc, false>, nullptr, true},
      {"weighted_roc_area", "the same by the weight of the classes", kNoNumber, true, several_classes,
       area_of_classes<Area::roc, true>},
      {"pairs_roc_area", "mean over pairs of classes (Hand and Till)", kNoNumber, true, several_classes, pairs_area},
      {"pr_area", "average precision; several classes: mean of each against the rest", kNoNumber, true, any_classes,
       area_of_classes<Area::precision_recall, false>},
      {"weighted_pr_area", "the same by the weight of the classes", kNoNumber, true, several_classes,
       area_of_classes<Area::precision_recall, true>},
      {"gain_", "share of the positive rows among this share that scores highest", 0.1, true, two_classes, gain<false>,
       share_objection},
      {"lift_", "gain divided by the share", 0.1, true, two_classes, gain<true>, share_objection},
      {"log_loss", "mean of -log of the true class's probability", kNoNumber, false, probabilities, log_loss},
      {"brier", "mean squared difference of probabilities and truth", kNoNumber, false, probabilities, brier},
      {"calibration_error", "mean distance of probability and frequency in 10 bins", kNoNumber, false, probabilities,
       calibration_error},
      {"d2_log_loss", "share of the log-loss of constant probabilities explained", kNoNumber, true, probabilities,
       d2<true>},
      {"d2_brier", "share of the Brier score of constant probabilities explained", kNoNumber, true, probabilities,
       d2<false>},
  };
  return all;
}

} // namespace recta::score
