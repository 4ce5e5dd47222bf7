// The scores that points of a search are compared by: those of recta/scores.hpp.
#pragma once

#include <recta/cross_validate.hpp>
#include <recta/scores.hpp>

namespace recta::search {

// Names of scores that this model has for these classes, those asked for or the usual ones; an error that names one it
// has not.
Result<std::vector<std::string>> chosen_scores(const ModelInfo& model, const Classes& classes,
                                               const std::vector<std::string>& asked);

// The scores of these names on these rows; NaN for one that has no value there. Of several targets, the mean of theirs.
Result<std::vector<double>> scores_on(const Model& model, const Dataset& rows, const std::vector<std::string>& names);

bool larger_is_better(const CrossValidation& search); // of the first score

} // namespace recta::search
