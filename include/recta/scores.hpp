// Scores of a model by name: every measure of metrics.hpp that applies to it, all from one prediction of the rows.
#pragma once

#include <recta/metrics.hpp>
#include <recta/plot.hpp>

namespace recta {

struct MeasureInfo {
  std::string word, summary; // "f1"; a word that ends in a number takes others: "f0.5", "top_3", "pinball_0.9"
  bool of_classes = true, larger_is_better = true, of_label_sets = false;
};
const std::vector<MeasureInfo>& measure_infos();
// That of a word with any number; nothing if there is no such measure.
std::optional<MeasureInfo> measure_info(const std::string& word, bool of_classes);

// One target of the rows that were predicted, have a target and a positive weight.
struct JudgedRows {
  std::string target;
  Index rows = 0;
  double weight_sum = 0;
  std::vector<double> weights{}; // empty: one each
  // A target of labels: places of classes; decision scores by row, one for two classes or one per class; probabilities
  // by row, one per class, if the model has them.
  std::vector<std::string> labels{};
  std::int32_t positive = 1; // of two classes
  std::vector<std::int32_t> truth{}, predicted{};
  std::vector<double> score{}, probability{};
  // A set of labels: by row, whether each is there, in truth and as predicted; scores and probabilities of each.
  std::vector<std::string> set{};
  std::vector<std::uint8_t> members{}, predicted_members{};
  // A target of numbers. `loss`: the model's own of each row, squared if it has none, empty if a target has no such
  // loss; `deviance`: the word of the loss whose deviance the model has, or empty. With an offset r2 is that of y less
  // it.
  std::vector<double> y{}, prediction{}, loss{}, offset{};
  std::string deviance{};

  bool classifies() const { return !labels.empty(); }
  Index classes() const { return static_cast<Index>(labels.size()); }
  // Rows of class k against the rest, by the scores; for several classes by probabilities, if there are any.
  metric::Ranked ranked(Index k, metric::Numbers weights_used) const;
};
Result<std::vector<JudgedRows>> judge(const Model& model, const Dataset& data,
                                      int threads = 0); // one per target; of a set of
// labels that of the set, then one per label

struct ScoreOptions {
  std::vector<std::string> words{}; // empty: all that apply
  Index resamples = 0;              // of a bootstrap; 0: none, and the ROC area of two classes has DeLong's interval
  std::uint64_t seed = 0;
  double confidence = 0.95;
  int threads = 0;
};
struct NamedScore {
  std::string word;
  double value = 0;       // NaN: it has no meaning for these rows
  std::string interval{}; // "delong", "bootstrap", or empty: there is none
  double standard_error = std::numeric_limits<double>::quiet_NaN(), lower = standard_error, upper = standard_error;
};
Result<std::vector<NamedScore>> scores_of(const JudgedRows& rows, const ScoreOptions& options = {});

// An error unless every word is a score of such rows; their numbers do not matter. All words that apply if none is
// given.
Result<std::vector<std::string>> checked_scores(const JudgedRows& like, const std::vector<std::string>& words);

// The classes that decide() takes by the rule of the model, in the place of those predicted.
Result<void> take_decisions(const Model& model, JudgedRows& rows);

// "roc", "pr", "calibration", "confusion" or "lift", of a target of labels; several classes each against the rest.
const std::vector<std::string>& score_picture_kinds();
Result<plot::Picture> score_picture(const JudgedRows& rows, const std::string& kind);

} // namespace recta
