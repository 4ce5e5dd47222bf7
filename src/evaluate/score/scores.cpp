// Scores by their words, with intervals: DeLong's of the ROC area, or those of a bootstrap, whose resamples are the
// rows weighted by how often each was drawn. The ends are quantiles of the resampled scores, between which is
// interpolated.
#include "base/guard.hpp"
#include "base/numbers.hpp"
#include "base/pool.hpp"
#include "base/sums.hpp"
#include "evaluate/decision/choose.hpp"
#include "evaluate/score/measure.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta {
namespace score {

std::string word_of(const Measure& measure, double number) {
  return std::isnan(number) ? measure.stem : fmt::format("{}{}", measure.stem, number);
}

} // namespace score

namespace {

using score::Measure;
using score::MeasureInput;

struct Chosen {
  const Measure* measure;
  double number;
};

const std::vector<Measure>& measures_for(const JudgedRows& rows) {
  if (!rows.set.empty()) return score::label_measures();
  return rows.classifies() ? score::class_measures() : score::number_measures();
}

// The number after the stem; NaN: there is none.
double number_after(const std::string& word, const Measure& measure) {
  if (std::isnan(measure.number) || !word.starts_with(measure.stem)) return kNaN;
  double number = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, fault] = std::from_chars(word.data() + measure.stem.size(), end, number);
  return fault == std::errc() && stop == end ? number : kNaN;
}

Result<Chosen> find_measure(const std::string& word, const JudgedRows& rows) {
  std::vector<std::string> words;
  for (const Measure& measure : measures_for(rows)) {
    const double number = number_after(word, measure);
    const bool exact = std::isnan(measure.number) && word == measure.stem;
    words.push_back(score::word_of(measure, measure.number));
    if (!exact && std::isnan(number)) continue;
    if (const char* why = exact ? nullptr : measure.number_objection(number))
      return fail(ErrorCode::usage, word, why, fmt::format("the usual one is {}", words.back()));
    if (const char* why = measure.objection(rows)) return fail(ErrorCode::usage, word, why, "leave it out");
    return Chosen{&measure, number};
  }
  const std::string near = nearest(word, words);
  return fail(ErrorCode::usage, word,
              fmt::format("it is not a score of {}", !rows.set.empty()   ? "label sets"
                                                     : rows.classifies() ? "classes"
                                                                         : "predicted numbers"),
              near.empty() ? fmt::format("choose of all, {}", fmt::join(words, ", "))
                           : fmt::format("did you mean {}?", near));
}

Result<std::vector<Chosen>> choose(const JudgedRows& rows, const std::vector<std::string>& words) {
  std::vector<Chosen> out;
  for (const std::string& word : words) {
    const auto measure = find_measure(word, rows);
    if (!measure) return std::unexpected(measure.error());
    out.push_back(*measure);
  }
  if (!words.empty()) return out;
  for (const Measure& measure : measures_for(rows))
    if (measure.objection(rows) == nullptr) out.push_back({&measure, measure.number});
  return out;
}

// As NumPy's quantile of sorted values.
double sorted_quantile(const std::vector<double>& sorted, double level) {
  const double place = level * static_cast<double>(sorted.size() - 1), below = std::floor(place), part = place - below;
  const double low = sorted[static_cast<std::size_t>(below)],
               high = sorted[std::min(static_cast<std::size_t>(below) + 1, sorted.size() - 1)];
  return part >= 0.5 ? high - (high - low) * (1 - part) : low + (high - low) * part;
}

// The values of all resamples, for every score.
Result<std::vector<std::vector<double>>> resample(const JudgedRows& rows, const std::vector<Chosen>& chosen,
                                                  const ScoreOptions& options) {
  std::vector<std::vector<double>> values(chosen.size(), std::vector<double>(at(options.resamples), kNaN));
  Pool pool(options.threads);
  pool.run(options.resamples, [&](Index number, int) {
    std::vector<double> weights = metric::bootstrap_counts(rows.rows, options.seed, static_cast<std::uint64_t>(number));
    if (!rows.weights.empty())
      std::transform(weights.begin(), weights.end(), rows.weights.begin(), weights.begin(), std::multiplies<>());
    for (std::size_t c = 0; c < chosen.size(); ++c)
      if (const auto value = chosen[c].measure->value({rows, weights, chosen[c].number, 1}))
        values[c][at(number)] = *value;
  });
  return values;
}

void add_bootstrap(std::vector<double> values, double confidence, NamedScore& score) {
  std::erase_if(values, [](double value) { return std::isnan(value); }); // a class was not drawn, say
  if (values.size() < 2) return;
  std::ranges::sort(values);
  const auto count = static_cast<double>(values.size());
  const double mean = compensated_sum(values) / count;
  CompensatedSum squares;
  for (const double value : values) squares.add_product(value - mean, value - mean);
  score.interval = "bootstrap";
  score.standard_error = std::sqrt(squares.value() / (count - 1));
  score.lower = sorted_quantile(values, (1 - confidence) / 2);
  score.upper = sorted_quantile(values, 1 - (1 - confidence) / 2);
}

void add_delong(const JudgedRows& rows, const ScoreOptions& options, NamedScore& score) {
  const auto area =
      metric::roc_area_interval(rows.ranked(rows.positive, rows.weights), options.confidence, options.threads);
  if (!area || std::isnan(area->standard_error)) return;
  score.interval = "delong";
  score.standard_error = area->standard_error;
  score.lower = area->lower;
  score.upper = area->upper;
}

Result<void> check_options(const ScoreOptions& options) {
  if (options.resamples < 0 || options.resamples == 1)
    return fail(ErrorCode::usage, "bootstrap", fmt::format("there are {} resamples", options.resamples),
                "a thousand are usual, and two the fewest");
  if (!(options.confidence > 0 && options.confidence < 1))
    return fail(ErrorCode::usage, "confidence", fmt::format("it is {}", options.confidence),
                "choose one between 0 and 1");
  return {};
}

Result<std::vector<NamedScore>> compute(const JudgedRows& rows, const ScoreOptions& options) {
  if (auto good = check_options(options); !good) return std::unexpected(good.error());
  const auto chosen = choose(rows, options.words);
  if (!chosen) return std::unexpected(chosen.error());
  std::vector<NamedScore> out;
  for (const Chosen& choice : *chosen) {
    const auto value = choice.measure->value({rows, rows.weights, choice.number, options.threads});
    if (!value) return std::unexpected(value.error());
    out.push_back({.word = score::word_of(*choice.measure, choice.number), .value = *value});
    if (options.resamples == 0 && rows.classes() == 2 && choice.measure->delong) add_delong(rows, options, out.back());
  }
  if (options.resamples == 0) return out;
  const auto values = resample(rows, *chosen, options);
  if (!values) return std::unexpected(values.error());
  for (std::size_t c = 0; c < out.size(); ++c) add_bootstrap((*values)[c], options.confidence, out[c]);
  return out;
}

} // namespace

const std::vector<MeasureInfo>& measure_infos() {
  static const std::vector<MeasureInfo> infos = [] {
    std::vector<MeasureInfo> all;
    for (const auto& [measures, of_classes] :
         {std::pair{&score::class_measures(), true}, {&score::number_measures(), false}})
      for (const Measure& measure : *measures)
        all.push_back({score::word_of(measure, measure.number), measure.summary, of_classes, measure.larger_is_better});
    for (const Measure& measure : score::label_measures())
      all.push_back({measure.stem, measure.summary, false, measure.larger_is_better, true});
    return all;
  }();
  return infos;
}

std::optional<MeasureInfo> measure_info(const std::string& word, bool of_classes) {
  for (const Measure& measure : of_classes ? score::class_measures() : score::number_measures())
    if (std::isnan(measure.number) ? word == measure.stem : !std::isnan(number_after(word, measure)))
      return MeasureInfo{word, measure.summary, of_classes, measure.larger_is_better};
  return {};
}

Result<std::vector<std::string>> checked_scores(const JudgedRows& like, const std::vector<std::string>& words) {
  const auto chosen = choose(like, words);
  if (!chosen) return std::unexpected(chosen.error());
  std::vector<std::string> out;
  for (const Chosen& choice : *chosen) out.push_back(score::word_of(*choice.measure, choice.number));
  return out;
}

Result<void> take_decisions(const Model& model, JudgedRows& rows) {
  const Decision& rule = model.decision;
  if (rule.aim.empty())
    return fail(ErrorCode::usage, model.word, "it keeps no rule for decisions",
                "choose one on rows that the fit has not seen (recta threshold)");
  const std::size_t classes = rows.labels.size(), width = rows.score.size() / std::max<std::size_t>(at(rows.rows), 1);
  for (std::size_t i = 0; i < at(rows.rows); ++i) {
    const double* const z = rows.score.data() + i * width;
    if (classes == 2) {
      const double score = width == 1 ? z[0] : z[rows.positive] - z[1 - rows.positive];
      rows.predicted[i] = score >= rule.threshold ? rows.positive : 1 - rows.positive;
      continue;
    }
    rows.predicted[i] =
        cheapest_class({rows.probability.data() + i * classes, classes}, rule.costs, model.schema.classes.factor);
  }
  return {};
}

Result<std::vector<NamedScore>> scores_of(const JudgedRows& rows, const ScoreOptions& options) {
  return guarded("scores", cure::kFewerRows, [&] { return compute(rows, options); });
}

} // namespace recta
