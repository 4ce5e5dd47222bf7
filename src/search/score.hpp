// The scores that points of a search are compared by: those of recta/scores.hpp.
#pragma once

#include "data/split/table_view.hpp"

#include <recta/cross_validate.hpp>
#include <recta/scores.hpp>

namespace recta::search {

// What is predicted, as far as it decides which scores apply: classes, a set of labels, or neither.
struct Predicted {
  const Classes& classes;
  const LabelSet& labels;
};

// Names of scores that this model has for such a target, those asked for or the usual ones; an error that names one it
// has not. A set of labels has the scores of sets, and those of two classes for every label.
Result<std::vector<std::string>> chosen_scores(const ModelInfo& model, const Predicted& target,
                                               const std::vector<std::string>& asked);

// The scores of these names on these rows; NaN for one that has no value there. Of several targets, the mean of theirs;
// likewise of several labels, if it is no score of the whole set.
Result<std::vector<double>> scores_on(const Model& model, const TableView& rows, const std::vector<std::string>& names);

bool larger_is_better(const CrossValidation& search); // of the first score

} // namespace recta::search
