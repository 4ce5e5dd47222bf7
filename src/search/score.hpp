// The scores that points of a search are compared by.
#pragma once

#include <recta/cross_validate.hpp>
#include <recta/evaluate.hpp>

namespace recta::search {

const FoldScoreInfo& score_info(const std::string& name); // of a name that is known

// Names of scores that this model has, those asked for or the usual ones; an error that names one it has not.
Result<std::vector<std::string>> chosen_scores(const ModelInfo& model, const std::vector<std::string>& asked);

// The score of this name; NaN if it has no value on these rows. Of several targets, the mean of theirs.
double score_of(const std::string& name, const Evaluation& seen);

} // namespace recta::search
