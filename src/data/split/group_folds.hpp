// Folds of whole groups: rows of one group are never on both sides of a split.
#pragma once

#include <recta/split.hpp>

#include <cstdint>
#include <vector>

namespace recta {

// Rows that belong together.
struct RowGroup {
  Index number = 0;          // as the caller has it
  std::vector<Index> rows{}; // ascending
};

// The groups of the used rows, in an order drawn by the seed.
std::vector<RowGroup> drawn_groups(const std::vector<Index>& used, const std::vector<Index>& group, std::uint64_t seed);

// The fold of every group. The largest groups come first. Each goes to the fold that stays nearest to the shares of all
// rows: the one where sum_k (c_fk / c_k)^2 grows least, c_fk being the rows of class k in the fold and c_k those of
// the class, and among equals the smallest. Without labels all rows are one class, and that is the smallest fold. Of
// sets of labels every label is such a class, and all rows are one more.
std::vector<Index> group_folds(const std::vector<RowGroup>& groups, const SplitRows& known, Index folds);

} // namespace recta
