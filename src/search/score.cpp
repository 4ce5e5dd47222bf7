#include "search/score.hpp"

#include "base/numbers.hpp"
#include "evaluate/used_rows.hpp"
#include "params/params.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace recta::search {
namespace {

// Rows such as this model judges them, without any: what scores apply is told by these. Of a set of labels the whole,
// then one label.
std::vector<JudgedRows> rows_like(const ModelInfo& model, const Predicted& target) {
  JudgedRows out;
  if (model.log_link) out.deviance = model.word;
  if (!model.classes) return {out};
  if (model.probabilities) out.probability = {1};
  out.labels = target.classes.labels;
  if (target.labels.names.empty()) return {out};
  JudgedRows set = out;
  set.set = target.labels.names;
  out.labels = {"no", "yes"};
  return {set, out};
}

std::vector<std::string> usual_scores(const ModelInfo& model, const Predicted& target) {
  if (!target.labels.names.empty()) return {"hamming_loss", "subset_accuracy", "micro_f1", "macro_f1", "ranking_loss"};
  if (!model.classes) return {"mse", "rmse", "mae", "r2"};
  if (model.probabilities) return {"log_loss", "accuracy"};
  return {"accuracy"};
}

} // namespace

Result<std::vector<std::string>> chosen_scores(const ModelInfo& model, const Predicted& target,
                                               const std::vector<std::string>& asked) {
  const std::vector<JudgedRows> like = rows_like(model, target);
  for (const std::string& word : asked) {
    const auto applies = [&](const JudgedRows& rows) { return checked_scores(rows, {word}).has_value(); };
    if (std::ranges::none_of(like, applies)) {
      const Error error = checked_scores(like[0], {word}).error();
      return refuse("score", fmt::format("{} has no score \"{}\": {}", model.word, word, error.what), error.advice);
    }
    if (std::ranges::count(asked, word) > 1)
      return refuse("score", fmt::format("\"{}\" is asked for twice", word), "name every score once");
  }
  return asked.empty() ? usual_scores(model, target) : asked;
}

Result<std::vector<double>> scores_on(const Model& model, const TableView& rows,
                                      const std::vector<std::string>& names) {
  const auto judged = judge(model, rows);
  if (!judged) return std::unexpected(judged.error());
  const std::span<const JudgedRows> all(*judged);
  const bool sets = !all[0].set.empty();
  std::vector<double> out;
  for (const std::string& name : names) {
    const bool of_the_whole = sets && checked_scores(all[0], {name}).has_value();
    const auto each = !sets ? all : of_the_whole ? all.first(1) : all.subspan(1);
    double sum = 0;
    for (const JudgedRows& target : each) {
      const auto score = scores_of(target, {.words = {name}});
      sum += (score ? score->at(0).value : kNaN) / static_cast<double>(each.size());
    }
    out.push_back(sum);
  }
  return out;
}

bool larger_is_better(const CrossValidation& search) {
  const ModelInfo* model = model_info(search.word);
  const std::string& first = search.scores.at(0);
  if (const auto info = measure_info(first, model != nullptr && model->classes)) return info->larger_is_better;
  const auto of_sets = std::ranges::find_if(
      measure_infos(), [&](const MeasureInfo& info) { return info.of_label_sets && info.word == first; });
  return of_sets != measure_infos().end() && of_sets->larger_is_better;
}

} // namespace recta::search
