// How good a classifier is on rows: accuracy = weight of the rows predicted right / weight of all; log-loss = mean of
// -log P(true class), from the scores, so that it stays finite where probabilities underflow; the confusion matrix; and
// the same for a model that knows no features: the majority and the shares of the training rows.
#pragma once

#include "evaluate/used_rows.hpp"

namespace recta {

Result<Evaluation> class_evaluation(const Model& model, const RowsToJudge& source, const std::string& loss);

} // namespace recta
