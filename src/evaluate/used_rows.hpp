// The rows that a model can be judged by: those that were predicted, have a target and a positive weight. The model's
// weights are used if the rows have them; rows without such a column count once each.
#pragma once

#include <recta/evaluate.hpp>

#include <string_view>

namespace recta {

// Refuses a model that has no target to be judged by.
Result<void> require_target(const Model& model);

// The weight of a row; 1 if there is no such column.
Result<double> row_weight(const Column* weights, const Dataset& data, Index row);

struct LabelledRows {
  std::vector<Index> used, place; // of the true class, one per used row
  std::vector<double> weight;
};
Result<const Column*> label_column(const Model& model, const Dataset& data);
Result<LabelledRows> labelled_rows(const Model& model, const Dataset& data, const Column& column,
                                   const Values& predicted);

struct NumberRows {
  std::vector<const Column*> targets;
  const Column* offset = nullptr;
  std::vector<Index> used;
  std::vector<double> weight; // one per used row
};
Result<const Column*> numeric_column(const Dataset& data, const std::string& name, std::string_view part);
Result<NumberRows> number_rows(const Model& model, const Dataset& data, const Values& predicted);

} // namespace recta
