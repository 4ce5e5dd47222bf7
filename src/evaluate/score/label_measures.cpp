// Scores of models of label sets.
#include "evaluate/score/measure.hpp"

#include <recta/label_metrics.hpp>

namespace recta::score {
namespace {

using metric::Average;

const char* any_sets(const JudgedRows&) {
  return nullptr;
}

template <double (*of)(const metric::LabelCounts&)>
Result<double> from_label_counts(const MeasureInput& input) {
  return number_from(metric::label_counts(input.rows.members, input.rows.predicted_members, std::ssize(input.rows.set),
                                          input.weights, input.threads),
                     of);
}

double hamming_loss(const metric::LabelCounts& counts) {
  return counts.hamming_loss();
}
double subset_accuracy(const metric::LabelCounts& counts) {
  return counts.subset_accuracy();
}
template <Average average, double metric::Rates::* rate>
double label_rate(const metric::LabelCounts& counts) {
  return counts.rates(average).*rate;
}

// By probabilities if there are any, since scores of different models have no common scale.
Result<double> ranking_loss(const MeasureInput& input) {
  const JudgedRows& rows = input.rows;
  return metric::ranking_loss(rows.members, rows.probability.empty() ? rows.score : rows.probability,
                              std::ssize(rows.set), input.weights, input.threads);
}

Measure set_measure(const char* word, const char* summary, Result<double> (*value)(const MeasureInput&),
                    bool larger_is_better = true) {
  return {
      .stem = word, .summary = summary, .larger_is_better = larger_is_better, .objection = any_sets, .value = value};
}

template <Average average, double metric::Rates::* rate>
constexpr auto kRate = from_label_counts<label_rate<average, rate>>;

} // namespace

const std::vector<Measure>& label_measures() {
  using metric::Rates;
  static const std::vector<Measure> all = {
      set_measure("hamming_loss", "share of all rows and labels that is wrong", from_label_counts<hamming_loss>, false),
      set_measure("subset_accuracy", "share of the rows whose set is right", from_label_counts<subset_accuracy>),
      set_measure("micro_f1", "F1 of all rows and labels at once", kRate<Average::micro, &Rates::f>),
      set_measure("macro_f1", "mean F1 of the labels", kRate<Average::macro, &Rates::f>),
      set_measure("weighted_f1", "mean F1 of the labels by their weight", kRate<Average::weighted, &Rates::f>),
      set_measure("micro_precision", "precision of all rows and labels at once",
                  kRate<Average::micro, &Rates::precision>),
      set_measure("macro_precision", "mean precision of the labels", kRate<Average::macro, &Rates::precision>),
      set_measure("micro_recall", "recall of all rows and labels at once", kRate<Average::micro, &Rates::recall>),
      set_measure("macro_recall", "mean recall of the labels", kRate<Average::macro, &Rates::recall>),
      set_measure("ranking_loss", "mean share of a row's labels that score no higher than one it has not", ranking_loss,
                  false),
  };
  return all;
}

} // namespace recta::score
