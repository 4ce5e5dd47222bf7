// How good a model is on rows, one target at a time, with r_i = y_i - z_i and weights v_i:
//
//   mse = sum v r^2 / sum v       mae = sum v |r| / sum v       mean loss = sum v loss(y, z) / sum v
//   r2 = 1 - sum v r^2 / sum v (y - mean y)^2, the mean being that of these rows; NaN when y does not vary
// An offset is no merit of the model: with one, y in r2 is the target less it, as in the fit and in R's lm. If the mean
// is exp(z) there is no such difference, and no r2.
// For a model with a loss of its own that loss is the default, at the model's parameter. If the mean is exp(z) the
// losses are those of z, and the deviance is twice the mean of the model's own; d2 = 1 - deviance / that of the mean of
// y. Sums are compensated, so the order of the rows does not matter to the digits shown.
#include "base/explained_share.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "data/checked_table.hpp"
#include "evaluate/class_metrics.hpp"
#include "evaluate/label_rows.hpp"
#include "evaluate/own_loss.hpp"
#include "evaluate/used_rows.hpp"
#include "loss/loss.hpp"
#include "loss/row_loss.hpp"

#include <recta/documents.hpp>
#include <recta/evaluate.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta {
namespace {

Result<const LossInfo*> find_loss(const std::string& word) {
  std::vector<std::string> words;
  for (const LossInfo& loss : losses()) {
    if (loss.word == word) return &loss;
    words.push_back(loss.word);
  }
  const std::string near = nearest(word, words);
  return fail(ErrorCode::usage, "", fmt::format("there is no loss \"{}\"", word),
              near.empty() ? fmt::format("the losses are {}", fmt::join(words, ", "))
                           : fmt::format("did you mean \"{}\"?", near));
}

Result<void> check_targets(const NumberRows& rows, const Dataset& data, const LossInfo& loss) {
  for (const Column* column : rows.targets)
    for (const Index row : rows.used) {
      const double y = column->values[static_cast<std::size_t>(row)];
      if (loss::takes(loss.word, y)) continue;
      if (!loss::on_labels(loss.word))
        return fail(ErrorCode::bad_data,
                    fmt::format("{}, row {}, column {}", data.source, data.first_row + row + 1, column->name),
                    fmt::format("{} has no loss {}", y, loss.word), "choose a loss of all numbers, such as squared");
      return fail(ErrorCode::bad_data,
                  fmt::format("{}, row {}, column {}", data.source, data.first_row + row + 1, column->name),
                  fmt::format("{} is not a label: the loss {} is that of -1 and 1", y, loss.word),
                  "choose a loss of numbers, such as squared");
    }
  return {};
}

double weighted_mean(const NumberRows& rows, double weight_sum, auto&& value) {
  CompensatedSum sum;
  for (std::size_t u = 0; u < rows.used.size(); ++u)
    sum.add_product(rows.weight[u], value(static_cast<std::size_t>(rows.used[u])));
  return sum.value() / weight_sum;
}

void add_deviance(const Model& model, const NumberRows& rows, double weight_sum, auto&& y, auto&& z,
                  TargetScore& score) {
  for (const Index row : rows.used)
    if (!loss::takes(model.word, y(static_cast<std::size_t>(row)))) return;
  const auto row_loss = loss::row_loss(model.word, 0);
  const auto loss_at = [&](double target, double log_mean) {
    const double v = 1;
    return row_loss->total({1, &target, &log_mean, &v});
  };
  const double mean = weighted_mean(rows, weight_sum, y);
  score.deviance = 2 * weighted_mean(rows, weight_sum, [&](std::size_t i) { return loss_at(y(i), std::log(z(i))); });
  const double none = 2 * weighted_mean(rows, weight_sum, [&](std::size_t i) { return loss_at(y(i), std::log(mean)); });
  score.d2 = none > 0 ? explained_share(score.deviance, none) : kNaN;
}

double explained(const NumberRows& rows, std::size_t t, double weight_sum, double mse) {
  const auto y = [&](std::size_t i) { return rows.targets[t]->values[i] - (rows.offset ? rows.offset->values[i] : 0); };
  const double mean = weighted_mean(rows, weight_sum, y);
  const double spread = weighted_mean(rows, weight_sum, [&](std::size_t i) { return (y(i) - mean) * (y(i) - mean); });
  const auto first = static_cast<std::size_t>(rows.used.front());
  const bool varies =
      std::ranges::any_of(rows.used, [&](Index i) { return y(static_cast<std::size_t>(i)) != y(first); });
  return varies ? explained_share(mse, spread) : kNaN;
}

TargetScore score(const NumberRows& rows, std::size_t t, const Values& predicted, double weight_sum, const LossOf& loss,
                  const Model& model) {
  const auto k = rows.targets.size();
  const auto y = [&](std::size_t i) { return rows.targets[t]->values[i]; };
  const auto z = [&](std::size_t i) { return predicted[i * k + t]; };
  const auto r = [&](std::size_t i) { return y(i) - z(i); };
  TargetScore score{.target = rows.targets[t]->name};
  score.mse = weighted_mean(rows, weight_sum, [&](std::size_t i) { return r(i) * r(i); });
  score.rmse = std::sqrt(score.mse);
  score.mae = weighted_mean(rows, weight_sum, [&](std::size_t i) { return std::abs(r(i)); });
  score.mean_loss = weighted_mean(rows, weight_sum,
                                  [&](std::size_t i) { return loss(y(i), model.log_link() ? std::log(z(i)) : z(i)); });
  score.r2 = rows.offset && model.log_link() ? kNaN : explained(rows, t, weight_sum, score.mse);
  score.deviance = score.d2 = kNaN;
  if (model.log_link()) add_deviance(model, rows, weight_sum, y, z, score);
  score.largest_error = -1;
  for (const Index row : rows.used) {
    const double error = std::abs(r(static_cast<std::size_t>(row)));
    if (error <= score.largest_error) continue;
    score.largest_error = error;
    score.largest_error_row = row + 1;
  }
  return score;
}

Result<Evaluation> scores(const Model& model, const RowsToJudge& source, const std::string& loss) {
  const Dataset& data = source.outcome;
  const auto info = find_loss(!loss.empty() ? loss : has_own_loss(model) ? model.word : "squared");
  if (!info) return std::unexpected(info.error());
  for (const std::string& name : model.schema.targets) // before the work of predicting
    if (const auto column = numeric_column(data, name, "target"); !column) return std::unexpected(column.error());
  const auto predicted = source.predicted(model, 0);
  if (!predicted) return std::unexpected(predicted.error());
  const auto rows = number_rows(model, data, *predicted);
  if (!rows) return std::unexpected(rows.error());
  if (const auto good = check_targets(*rows, data, **info); !good) return std::unexpected(good.error());
  Evaluation evaluation;
  evaluation.mean_loss = kNaN;
  evaluation.rows = std::ssize(rows->used);
  evaluation.weight_sum = compensated_sum(rows->weight);
  evaluation.loss = (*info)->word;
  for (std::size_t t = 0; t < rows->targets.size(); ++t) {
    const LossOf value = loss_of(model.body->parts().empty() ? model : model.body->parts()[t], **info);
    evaluation.targets.push_back(score(*rows, t, *predicted, evaluation.weight_sum, value, model));
  }
  for (TargetScore& target : evaluation.targets) target.largest_error_row += data.first_row;
  return evaluation;
}

} // namespace

namespace {

Result<Evaluation> evaluate_rows(const Model& model, const TableView& rows, const std::string& loss,
                                 UnknownTerms* unknown) {
  const auto judged = [&](const RowsToJudge& source) {
    if (model.has_label_set()) return label_evaluation(model, source, loss);
    return model.classifies() ? class_evaluation(model, source, loss) : scores(model, source, loss);
  };
  return guarded(rows.table().source, cure::kFewerRows, [&]() -> Result<Evaluation> {
    if (auto good = require_target(model); !good) return std::unexpected(good.error());
    return with_outcome(model, rows, judged, unknown);
  });
}

} // namespace

Result<Evaluation> evaluate(const Model& model, const TableView& rows, const std::string& loss) {
  return evaluate_rows(model, rows, loss, nullptr);
}

Result<Evaluation> evaluate(const Model& model, const Dataset& data, const std::string& loss) {
  return guarded(data, cure::kFewerRows, [&] { return evaluate_rows(model, TableView(data), loss, nullptr); });
}

Result<Evaluation> evaluate(const Model& model, const Dataset& data, UnknownTerms& unknown, const std::string& loss) {
  unknown = {};
  return guarded(data, cure::kFewerRows, [&] { return evaluate_rows(model, TableView(data), loss, &unknown); });
}

} // namespace recta
