// The rows that scores are computed from: predicted once, for all of them.
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "data/checked_table.hpp"
#include "evaluate/label_rows.hpp"
#include "evaluate/own_loss.hpp"
#include "evaluate/used_rows.hpp"
#include "loss/loss.hpp"

#include <recta/scores.hpp>

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

// `width` numbers of every used row.
std::vector<double> chosen(const Values& values, const std::vector<Index>& used, Index width) {
  std::vector<double> out;
  out.reserve(used.size() * at(width));
  for (const Index row : used) out.insert(out.end(), values.begin() + row * width, values.begin() + (row + 1) * width);
  return out;
}

void take_weights(const std::vector<double>& weights, JudgedRows& out) {
  out.rows = std::ssize(weights);
  out.weight_sum = compensated_sum(weights);
  if (std::ranges::any_of(weights, [](double weight) { return weight != 1; })) out.weights = weights;
}

// Two classes with a score each are ranked by the difference: log P(k, x) alone ranks rows by how common they are.
std::vector<double> against_the_other(const std::vector<double>& scores, std::int32_t positive) {
  std::vector<double> out;
  for (std::size_t i = 0; i + 1 < scores.size(); i += 2)
    out.push_back(positive == 1 ? scores[i + 1] - scores[i] : scores[i] - scores[i + 1]);
  return out;
}

Result<std::vector<JudgedRows>> judge_classes(const Model& model, const RowsToJudge& source, int threads) {
  const Dataset& data = source.outcome;
  const auto column = label_column(model, data);
  if (!column) return std::unexpected(column.error());
  const auto answers = source.class_answers(model, model.has_probabilities(), threads);
  if (!answers) return std::unexpected(answers.error());
  const auto rows = labelled_rows(model, data, **column, answers->predicted);
  if (!rows) return std::unexpected(rows.error());
  JudgedRows out{.target = model.schema.targets.at(0), .labels = model.schema.classes.labels};
  out.positive = static_cast<std::int32_t>(model.schema.classes.positive);
  take_weights(rows->weight, out);
  for (std::size_t u = 0; u < rows->used.size(); ++u) {
    out.truth.push_back(static_cast<std::int32_t>(rows->place[u]));
    out.predicted.push_back(static_cast<std::int32_t>(answers->predicted[at(rows->used[u])]));
  }
  out.score = chosen(answers->scores, rows->used, model.columns(Answer::decision));
  if (out.classes() == 2 && model.columns(Answer::decision) == 2)
    out.score = against_the_other(out.score, out.positive);
  if (model.has_probabilities()) out.probability = chosen(answers->probabilities, rows->used, out.classes());
  return std::vector{std::move(out)};
}

void add_losses(const Model& model, JudgedRows& out) {
  const std::string word = has_own_loss(model) ? model.word : "squared";
  const auto info = std::ranges::find(losses(), word, &LossInfo::word);
  if (model.log_link()) out.deviance = model.word;
  if (info == losses().end() || !std::ranges::all_of(out.y, [&](double y) { return loss::takes(word, y); })) return;
  const LossOf loss = loss_of(model, *info);
  for (std::size_t i = 0; i < out.y.size(); ++i)
    out.loss.push_back(loss(out.y[i], model.log_link() ? std::log(out.prediction[i]) : out.prediction[i]));
}

Result<std::vector<JudgedRows>> judge_numbers(const Model& model, const RowsToJudge& source, int threads) {
  const Dataset& data = source.outcome;
  for (const std::string& name : model.schema.targets) // before the work of predicting
    if (const auto column = numeric_column(data, name, "target"); !column) return std::unexpected(column.error());
  const auto predicted = source.predicted(model, threads);
  if (!predicted) return std::unexpected(predicted.error());
  const auto rows = number_rows(model, data, *predicted);
  if (!rows) return std::unexpected(rows.error());
  std::vector<JudgedRows> all;
  const std::size_t targets = rows->targets.size();
  for (std::size_t t = 0; t < targets; ++t) {
    JudgedRows& out = all.emplace_back();
    out.target = rows->targets[t]->name;
    take_weights(rows->weight, out);
    for (const Index row : rows->used) {
      out.y.push_back(rows->targets[t]->values[at(row)]);
      out.prediction.push_back((*predicted)[at(row) * targets + t]);
      if (rows->offset) out.offset.push_back(rows->offset->values[at(row)]);
    }
    add_losses(model, out);
  }
  return all;
}

Result<std::vector<JudgedRows>> judge_labels(const Model& model, const RowsToJudge& source, int threads) {
  auto sets = judged_labels(model, source, threads);
  if (!sets) return std::unexpected(sets.error());
  std::vector<JudgedRows> all = label_by_label(*sets);
  all.insert(all.begin(), *std::move(sets));
  return all;
}

} // namespace

metric::Ranked JudgedRows::ranked(Index k, metric::Numbers weights_used) const {
  const bool by_probability = classes() > 2 && !probability.empty();
  const std::vector<double>& by = by_probability ? probability : score;
  const Index width = by.empty() || rows == 0 ? 1 : std::ssize(by) / rows;
  return {.truth = truth,
          .positive = static_cast<std::int32_t>(k),
          .score = by.data() + (width == 1 ? 0 : k),
          .stride = width,
          .weights = weights_used};
}

Result<std::vector<JudgedRows>> judge(const Model& model, const TableView& rows, int threads) {
  return guarded(rows.table().source, cure::kFewerRows, [&]() -> Result<std::vector<JudgedRows>> {
    if (auto good = require_target(model); !good) return std::unexpected(good.error());
    return with_outcome(model, rows, [&](const RowsToJudge& source) {
      if (model.has_label_set()) return judge_labels(model, source, threads);
      return model.classifies() ? judge_classes(model, source, threads) : judge_numbers(model, source, threads);
    });
  });
}

Result<std::vector<JudgedRows>> judge(const Model& model, const Dataset& data, int threads) {
  return guarded(data, cure::kFewerRows, [&] { return judge(model, TableView(data), threads); });
}

} // namespace recta
