// Means over the splits of a search, and the point to choose by them.
#pragma once

#include <recta/cross_validate.hpp>

namespace recta::search {

// Mean and standard error of the splits: sqrt(sum (v - mean)^2 / (K - 1) / K). NaN if one of them is.
void add_means(ScoreValues& values);

// The point of the best mean of the first score, the first of several; -1: none has a mean.
Index best_point(const CrossValidation& search);

// Among the points whose mean is within one standard error of the best, and whose every value is that of the best point
// or a simpler one, the simplest: by the first axis, then by the second, ... An error if no axis has simpler values.
Result<Index> simplest_point(const ModelInfo& model, const CrossValidation& search, Index best);

} // namespace recta::search
