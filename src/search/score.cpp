#include "search/score.hpp"

#include "base/numbers.hpp"
#include "family/params.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::search {
namespace {

// Rows such as this model judges them, without any: what scores apply is told by these.
JudgedRows rows_like(const ModelInfo& model, const Classes& classes) {
  JudgedRows out;
  if (model.log_link) out.deviance = model.word;
  if (!model.classes) return out;
  out.labels = classes.labels;
  if (model.probabilities) out.probability = {1};
  return out;
}

} // namespace

Result<std::vector<std::string>> chosen_scores(const ModelInfo& model, const Classes& classes,
                                               const std::vector<std::string>& asked) {
  const JudgedRows like = rows_like(model, classes);
  for (const std::string& word : asked) {
    if (const auto good = checked_scores(like, {word}); !good)
      return refuse("score", fmt::format("{} has no score \"{}\": {}", model.word, word, good.error().what),
                    good.error().advice);
    if (std::ranges::count(asked, word) > 1)
      return refuse("score", fmt::format("\"{}\" is asked for twice", word), "name every score once");
  }
  if (!asked.empty()) return asked;
  if (!model.classes) return std::vector<std::string>{"mse", "rmse", "mae", "r2"};
  return model.probabilities ? std::vector<std::string>{"log_loss", "accuracy"} : std::vector<std::string>{"accuracy"};
}

Result<std::vector<double>> scores_on(const Model& model, const Dataset& rows, const std::vector<std::string>& names) {
  const auto judged = judge(model, rows);
  if (!judged) return std::unexpected(judged.error());
  std::vector<double> out(names.size());
  for (const JudgedRows& target : *judged)
    for (std::size_t k = 0; k < names.size(); ++k) {
      const auto score = scores_of(target, {.words = {names[k]}});
      out[k] += (score ? score->at(0).value : kNaN) / static_cast<double>(judged->size());
    }
  return out;
}

bool larger_is_better(const CrossValidation& search) {
  const ModelInfo* model = model_info(search.word);
  const auto info = measure_info(search.scores.at(0), model != nullptr && model->classes);
  return info && info->larger_is_better;
}

} // namespace recta::search
