// The rows that a model of label sets can be judged by: those that were predicted, whose labels are known and that have
// a positive weight.
#pragma once

#include <recta/evaluate.hpp>
#include <recta/scores.hpp>

namespace recta {

// With the scores and, if the model has them, the probabilities of the labels; one prediction for all of it.
Result<JudgedRows> judged_labels(const Model& model, const Dataset& data, int threads);
// Every label of these rows as two classes.
std::vector<JudgedRows> label_by_label(const JudgedRows& sets);

Result<Evaluation> label_evaluation(const Model& model, const Dataset& data, const std::string& loss);

} // namespace recta
