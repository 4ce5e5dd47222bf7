// Folds over which the rows of each class are spread as evenly as possible, and orders of rows that keep their shares.
#pragma once

#include "data/split/folds.hpp"

#include <vector>

namespace recta {

// The fold of every row. The rows of each class are dealt out separately, those of class k (in ascending order of
// the labels) by how.seed + k; -1 for a row that is not used or whose label is NaN. `how` is dealt or contiguous.
std::vector<std::int32_t> class_folds(const std::vector<double>& label, const std::vector<bool>& used, Folds how);

// A row, the fold that leaves it out, and how far into the rows of its class it is.
struct PlacedRow {
  Index row, fold;
  double at;
};

// Rows in an order drawn by the seed whose every prefix, in every fold, has about the shares of the classes that all
// rows have. `label`: NaN for a row that is not used; the same number everywhere if there are no classes.
std::vector<PlacedRow> learning_order(const std::vector<double>& label, Index folds, std::uint64_t seed);

} // namespace recta
