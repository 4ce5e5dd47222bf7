#include "evaluation.hpp"

#include <algorithm>
#include <cmath>

namespace recta::cli {
namespace {

using report::Document;
using report::Group;
using report::Sentence;
using report::shared;
using report::Shown;
using report::Table;
using report::Value;

// The model beside one that always answers the heaviest class.
Table classes_table(const Evaluation& evaluation) {
  const ClassScore& score = *evaluation.classes;
  const bool loss = !std::isnan(evaluation.mean_loss);
  Table out{.columns = {{"model", " "}, {"accuracy", "accuracy"}, {"log_loss", "log-loss"}}};
  out.rows = {{"model", score.accuracy, score.log_loss},
              {Sentence{"majority", {{"class", score.majority}}}, score.majority_accuracy, score.majority_log_loss}};
  if (!loss) return out;
  out.columns.push_back({"mean_loss", "mean " + evaluation.loss + " loss"});
  out.rows[0].emplace_back(evaluation.mean_loss);
  out.rows[1].emplace_back();
  return out;
}

// The true class is for people: programs have the labels.
Table confusion_table(const ClassScore& score) {
  const std::size_t k = score.labels.size();
  Table out{.columns = {{"", "true class"}}, .shape = report::Shape::rows};
  for (const std::string& label : score.labels) out.columns.push_back({"as " + label, "as " + label});
  for (std::size_t c = 0; c < k; ++c) {
    std::vector<Value>& row = out.rows.emplace_back();
    row.emplace_back(score.labels[c]);
    for (std::size_t d = 0; d < k; ++d) row.emplace_back(score.confusion[c * k + d]);
  }
  return out;
}

Document of_classes(const Evaluation& evaluation) {
  constexpr std::size_t kMostShown = 20;
  const ClassScore& score = *evaluation.classes;
  const auto confusion = shared(confusion_table(score));
  Document out;
  out.data = {
      {"accuracy", score.accuracy},
      {"log_loss", score.log_loss},
      {"mean_loss", evaluation.mean_loss},
      {"majority",
       Group{{"class", score.majority}, {"accuracy", score.majority_accuracy}, {"log_loss", score.majority_log_loss}}},
      {"confusion", confusion}};
  out.page.push_back({Shown{shared(classes_table(evaluation))}});
  if (score.labels.size() > kMostShown)
    out.page.push_back({Sentence{"confusion.large", {{"count", score.labels.size()}}}});
  else
    out.page.push_back({Shown{confusion}});
  return out;
}

Document of_labels(const LabelScore& score) {
  const auto whole = shared(
      {.columns = {{"hamming_loss", "Hamming loss"},
                   {"subset_accuracy", "subset accuracy"},
                   {"micro_f1", "micro F1"},
                   {"macro_f1", "macro F1"},
                   {"ranking_loss", "ranking loss"}},
       .rows = {{score.hamming_loss, score.subset_accuracy, score.micro_f1, score.macro_f1, score.ranking_loss}}});
  Table labels{.columns = {{"label", "label"},
                           {"weight", "weight of its rows"},
                           {"precision", "precision"},
                           {"recall", "recall"},
                           {"f1", "F1"}},
               .shape = report::Shape::named};
  for (const LabelScore::One& one : score.each)
    labels.rows.push_back({one.label, one.weight, one.precision, one.recall, one.f1});
  const auto each = shared(std::move(labels));
  Document out;
  for (std::size_t k = 0; k < whole->columns.size(); ++k) out.data.add(whole->columns[k].key, whole->rows[0][k]);
  out.data.add("labels", each);
  out.page = {{Shown{whole}}, {Shown{each}}};
  return out;
}

Document of_numbers(const Evaluation& evaluation) {
  Table out{.columns = {{"target", " "},
                        {"mse", "mse"},
                        {"rmse", "rmse"},
                        {"mae", "mae"},
                        {"r2", "r2"},
                        {"mean_loss", "mean loss"},
                        {"largest_error", "largest error"},
                        {"largest_error_row", "in row"},
                        {"deviance", "deviance"},
                        {"d2", "D2"}},
            .shape = report::Shape::named};
  for (const TargetScore& s : evaluation.targets)
    out.rows.push_back(
        {s.target, s.mse, s.rmse, s.mae, s.r2, s.mean_loss, s.largest_error, s.largest_error_row, s.deviance, s.d2});
  const bool deviance = std::ranges::any_of(evaluation.targets, [](auto& s) { return !std::isnan(s.deviance); });
  std::vector<std::string> columns = {"target", "mse", "rmse", "mae", "r2", "mean_loss"};
  if (deviance) columns.insert(columns.end(), {"deviance", "d2"});
  columns.insert(columns.end(), {"largest_error", "largest_error_row"});
  const auto table = shared(std::move(out));
  return {{{"metrics", table}}, {{Shown{table, std::move(columns)}}}};
}

} // namespace

Document evaluation_of(const Model& model, const Evaluation& evaluation) {
  Document out = evaluation.labels    ? of_labels(*evaluation.labels)
                 : evaluation.classes ? of_classes(evaluation)
                                      : of_numbers(evaluation);
  Group data{
      {"rows", evaluation.rows}, {"weight_sum", evaluation.weight_sum}, {"loss", report::or_null(evaluation.loss)}};
  if (evaluation.classes) data.add("classes", evaluation.classes->labels);
  if (evaluation.labels) data.add("labels", model.schema.labels.names);
  if (evaluation.classes) out.data = {{"metrics", Group{{model.schema.targets[0], std::move(out.data)}}}};
  if (evaluation.labels) out.data = {{"metrics", Group{{"labels", std::move(out.data)}}}};
  out.data = std::move(data.add(std::move(out.data)));
  return out;
}

} // namespace recta::cli
