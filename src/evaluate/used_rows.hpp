// The rows that a model can be judged by: those that were predicted, have a target and a positive weight. The model's
// weights are used if the rows have them; rows without such a column count once each.
#pragma once

#include "model/used_rows.hpp"

#include <recta/evaluate.hpp>
#include <recta/scores.hpp>

#include <string_view>

namespace recta {

// Refuses a model that has no target to be judged by.
Result<void> require_target(const Model& model);

// Rows to judge a model by: their features, and the columns that hold targets, weights and offset, in a table that is
// numbered as they are.
struct RowsToJudge {
  TableView rows;
  const Dataset& outcome;
  UnknownTerms* unknown = nullptr; // gets the terms that the model does not know, with the predictions

  Result<Values> predicted(const Model& model, int threads) const {
    return unknown ? predict(model, rows, *unknown, threads) : predict(model, rows, threads);
  }
  // The prediction, the decision and the probabilities, which are empty unless they are wanted.
  struct ClassAnswers {
    Values predicted, scores, probabilities;
  };
  Result<ClassAnswers> class_answers(const Model& model, bool probabilities, int threads) const;
};
Dataset take_outcome(const Model& model, const TableView& rows);
// Calls use(RowsToJudge); of a view the columns beside the features are copied, which are few.
template <class Use>
auto with_outcome(const Model& model, const TableView& rows, const Use& use, UnknownTerms* unknown = nullptr) {
  if (rows.is_whole()) return use(RowsToJudge{rows, rows.table(), unknown});
  const Dataset outcome = take_outcome(model, rows);
  return use(RowsToJudge{rows, outcome, unknown});
}

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

// judge() and evaluate() of some rows of a table.
Result<std::vector<JudgedRows>> judge(const Model& model, const TableView& rows, int threads = 0);
Result<Evaluation> evaluate(const Model& model, const TableView& rows, const std::string& loss = "");

} // namespace recta
