// The rows that a model of label sets can be judged by: those that were predicted, whose labels are known and that have
// a positive weight.
#pragma once

#include "evaluate/used_rows.hpp"

namespace recta {

// With the scores and, if the model has them, the probabilities of the labels; one prediction for all of it.
Result<JudgedRows> judged_labels(const Model& model, const RowsToJudge& source, int threads);
// Every label of these rows as two classes.
std::vector<JudgedRows> label_by_label(const JudgedRows& sets);

Result<Evaluation> label_evaluation(const Model& model, const RowsToJudge& source, const std::string& loss);

} // namespace recta
