#include "evaluate/used_rows.hpp"

#include "base/numbers.hpp"
#include "feature/classes.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

std::string row_text(const Dataset& data, Index row, const std::string& column) {
  return fmt::format("{}, row {}, column {}", data.source, data.first_row + row + 1, column);
}

} // namespace

Result<void> require_target(const Model& model) {
  if (model.has_target()) return {};
  return fail(ErrorCode::usage, model.word, "it has no target, and its answers cannot be right or wrong",
              "look at them with recta predict or recta transform, and at the model with recta inspect");
}

Result<RowsToJudge::ClassAnswers> RowsToJudge::class_answers(const Model& model, bool probabilities,
                                                             int threads) const {
  std::vector<Answer> wanted{Answer::prediction, Answer::decision};
  if (probabilities) wanted.push_back(Answer::probability);
  auto answers = predict(model, rows, wanted, unknown, threads);
  if (!answers) return std::unexpected(answers.error());
  answers->resize(3);
  return ClassAnswers{std::move((*answers)[0]), std::move((*answers)[1]), std::move((*answers)[2])};
}

Dataset take_outcome(const Model& model, const TableView& rows) {
  const Schema& schema = model.schema;
  std::vector<std::string> names = schema.targets;
  names.insert(names.end(), {schema.weights, schema.offset});
  std::vector<Index> columns;
  for (const std::string& name : names)
    if (const Column* column = name.empty() ? nullptr : rows.table().find(name))
      columns.push_back(column - rows.table().columns.data());
  std::ranges::sort(columns);
  columns.erase(std::ranges::unique(columns).begin(), columns.end());
  return take_columns(rows.table(), rows.places(0, rows.rows()), columns);
}

Result<double> row_weight(const Column* weights, const Dataset& data, Index row) {
  if (!weights) return 1;
  const double weight = weights->numeric() ? weights->values[at(row)] : kNaN;
  if (weight >= 0 && std::isfinite(weight)) return weight;
  return fail(ErrorCode::bad_data, row_text(data, row, weights->name), fmt::format("the weight is {}", weight),
              "weights are numbers from zero up; zero leaves a row out");
}

Result<const Column*> label_column(const Model& model, const Dataset& data) {
  const std::string& name = model.schema.targets.at(0);
  if (const Column* column = data.find(name)) return column;
  std::vector<std::string> names;
  for (const Column& other : data.columns) names.push_back(other.name);
  const std::string near = nearest(name, names);
  return fail(ErrorCode::bad_data, data.source, fmt::format("there is no column \"{}\", the model's target", name),
              near.empty() ? "the rows to evaluate on need it" : fmt::format("did you mean \"{}\"?", near));
}

Result<LabelledRows> labelled_rows(const Model& model, const Dataset& data, const Column& column,
                                   const Values& predicted) {
  const feature::ClassFinder finder(model.schema.classes);
  const auto levels = finder.places(column.type == ColumnType::category ? column.levels : std::vector<std::string>{});
  const Column* weights = model.schema.weights.empty() ? nullptr : data.find(model.schema.weights);
  LabelledRows rows;
  for (Index row = 0; row < data.rows; ++row) {
    const auto weight = row_weight(weights, data, row);
    if (!weight) return std::unexpected(weight.error());
    const Index place = finder.place(column, levels, row);
    if (*weight == 0 || place == feature::kNoLabel || std::isnan(predicted[at(row)])) continue;
    if (place == feature::kUnknownLabel)
      return std::unexpected(feature::unknown_label(model.schema.classes, row_text(data, row, column.name),
                                                    feature::label_text(column, row)));
    rows.used.push_back(row);
    rows.place.push_back(place);
    rows.weight.push_back(*weight);
  }
  if (rows.used.empty())
    return fail(ErrorCode::bad_data, data.source, "no row has a class, a positive weight and all its features",
                data.rows == 0 ? "the file has no rows" : "check the target column for missing values");
  return rows;
}

Result<const Column*> numeric_column(const Dataset& data, const std::string& name, std::string_view part) {
  const Column* column = data.find(name);
  if (!column) {
    std::vector<std::string> names;
    for (const Column& other : data.columns) names.push_back(other.name);
    const std::string near = nearest(name, names);
    return fail(ErrorCode::bad_data, data.source, fmt::format("there is no column \"{}\", the model's {}", name, part),
                near.empty() ? "the rows to evaluate on need it" : fmt::format("did you mean \"{}\"?", near));
  }
  if (!column->numeric())
    return fail(ErrorCode::bad_data, fmt::format("{}, column {}", data.source, name),
                fmt::format("the model's {} must be numbers", part),
                fmt::format("pass --types {}=real where it holds numbers", name));
  return column;
}

Result<NumberRows> number_rows(const Model& model, const Dataset& data, const Values& predicted) {
  NumberRows rows;
  for (const std::string& name : model.schema.targets) {
    const auto column = numeric_column(data, name, "target");
    if (!column) return std::unexpected(column.error());
    rows.targets.push_back(*column);
  }
  if (!model.schema.offset.empty()) rows.offset = data.find(model.schema.offset); // found when the rows were predicted
  const Column* weights = nullptr;
  if (!model.schema.weights.empty() && data.find(model.schema.weights)) {
    const auto column = numeric_column(data, model.schema.weights, "weights");
    if (!column) return std::unexpected(column.error());
    weights = *column;
  }
  const auto k = rows.targets.size();
  for (Index row = 0; row < data.rows; ++row) {
    const auto i = static_cast<std::size_t>(row);
    const double weight = weights ? weights->values[i] : 1;
    if (!(weight >= 0) || std::isinf(weight))
      return fail(ErrorCode::bad_data,
                  fmt::format("{}, row {}, column {}", data.source, data.first_row + row + 1, weights->name),
                  fmt::format("the weight is {}", weight), "weights are numbers from zero up; zero leaves a row out");
    bool whole = weight > 0;
    for (std::size_t t = 0; t < k; ++t)
      whole = whole && !std::isnan(predicted[i * k + t]) && !std::isnan(rows.targets[t]->values[i]);
    if (!whole) continue;
    rows.used.push_back(row);
    rows.weight.push_back(weight);
  }
  if (rows.used.empty())
    return fail(ErrorCode::bad_data, data.source, "no row has a target, a positive weight and all its features",
                data.rows == 0 ? "the file has no rows" : "check the target column for missing values");
  return rows;
}

} // namespace recta
