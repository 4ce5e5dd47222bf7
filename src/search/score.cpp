#include "search/score.hpp"

#include "base/numbers.hpp"
#include "family/params.hpp"

#include <recta/metrics.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta {
namespace search {
namespace {

struct Score {
  FoldScoreInfo info;
  double (*of_target)(const TargetScore&) = nullptr;
  double (*of_classes)(const ClassScore&) = nullptr;
};

metric::Confusion counts_of(const ClassScore& seen) {
  return {.classes = std::ssize(seen.labels), .weight = seen.confusion};
}

metric::Rates mean_rates(const ClassScore& seen) {
  return metric::rates(counts_of(seen), metric::Average::macro);
}

const std::vector<Score>& score_table() {
  static const std::vector<Score> all{
      {{"mse", "mean squared error"}, [](const TargetScore& t) { return t.mse; }},
      {{"rmse", "root of the mean squared error"}, [](const TargetScore& t) { return t.rmse; }},
      {{"mae", "mean absolute error"}, [](const TargetScore& t) { return t.mae; }},
      {{"max_error", "largest absolute error"}, [](const TargetScore& t) { return t.largest_error; }},
      {{"r2", "share of the variance that is explained", true}, [](const TargetScore& t) { return t.r2; }},
      {{"loss", "mean of the model's own loss; squared if it has none"},
       [](const TargetScore& t) { return t.mean_loss; }},
      {{"deviance", "mean deviance, of poisson and gamma"}, [](const TargetScore& t) { return t.deviance; }},
      {{"d2", "share of the deviance that is explained", true}, [](const TargetScore& t) { return t.d2; }},
      {{"log_loss", "mean of -log P(true class)", false, true, true},
       nullptr,
       [](const ClassScore& c) { return c.log_loss; }},
      {{"accuracy", "share of the rows that are predicted right", true, true},
       nullptr,
       [](const ClassScore& c) { return c.accuracy; }},
      {{"error_rate", "share of the rows that are predicted wrong", false, true},
       nullptr,
       [](const ClassScore& c) { return 1 - c.accuracy; }},
      {{"balanced_accuracy", "mean over the classes of the share of their rows that is predicted right", true, true},
       nullptr,
       [](const ClassScore& c) { return counts_of(c).balanced_accuracy(); }},
      {{"kappa", "Cohen's kappa: accuracy beyond chance", true, true},
       nullptr,
       [](const ClassScore& c) { return counts_of(c).kappa(); }},
      {{"matthews", "Matthews' correlation of truth and prediction", true, true},
       nullptr,
       [](const ClassScore& c) { return counts_of(c).matthews(); }},
      {{"precision", "share of the rows predicted as a class that are of it, mean over the classes", true, true},
       nullptr,
       [](const ClassScore& c) { return mean_rates(c).precision; }},
      {{"recall", "share of the rows of a class that are predicted as it, mean over the classes", true, true},
       nullptr,
       [](const ClassScore& c) { return mean_rates(c).recall; }},
      {{"f1", "harmonic mean of precision and recall, mean over the classes", true, true},
       nullptr,
       [](const ClassScore& c) { return mean_rates(c).f; }}};
  return all;
}

const Score* find_score(const std::string& name) {
  const auto found = std::ranges::find(score_table(), name, [](const Score& one) { return one.info.name; });
  return found == score_table().end() ? nullptr : &*found;
}

bool has_score(const ModelInfo& model, const FoldScoreInfo& score) {
  if (score.classes != model.classes || (score.probabilities && !model.probabilities)) return false;
  return model.log_link || (score.name != "deviance" && score.name != "d2");
}

} // namespace

const FoldScoreInfo& score_info(const std::string& name) {
  return find_score(name)->info;
}

Result<std::vector<std::string>> chosen_scores(const ModelInfo& model, const std::vector<std::string>& asked) {
  std::vector<std::string> own;
  for (const Score& one : score_table())
    if (has_score(model, one.info)) own.push_back(one.info.name);
  for (std::size_t k = 0; k < asked.size(); ++k) {
    if (std::ranges::count(own, asked[k]) == 0) {
      const std::string near = nearest(asked[k], own);
      return refuse("score", fmt::format("{} has no score \"{}\"", model.word, asked[k]),
                    near.empty() || near == asked[k] ? fmt::format("it has {}", fmt::join(own, ", "))
                                                     : fmt::format("did you mean \"{}\"?", near));
    }
    if (std::ranges::count(asked, asked[k]) > 1)
      return refuse("score", fmt::format("\"{}\" is asked for twice", asked[k]), "name every score once");
  }
  if (!asked.empty()) return asked;
  if (!model.classes) return std::vector<std::string>{"mse", "rmse", "mae", "r2"};
  return model.probabilities ? std::vector<std::string>{"log_loss", "accuracy"} : std::vector<std::string>{"accuracy"};
}

double score_of(const std::string& name, const Evaluation& seen) {
  const Score& score = *find_score(name);
  if (score.of_classes) return seen.classes ? score.of_classes(*seen.classes) : kNaN;
  double sum = 0;
  for (const TargetScore& target : seen.targets) sum += score.of_target(target);
  return sum / static_cast<double>(seen.targets.size());
}

} // namespace search

const std::vector<FoldScoreInfo>& cross_validation_scores() {
  static const std::vector<FoldScoreInfo> all = [] {
    std::vector<FoldScoreInfo> out;
    for (const search::Score& one : search::score_table()) out.push_back(one.info);
    return out;
  }();
  return all;
}

} // namespace recta
