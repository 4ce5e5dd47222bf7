// How a kd-tree is built.
#pragma once

#include "solver/neighbours/search.hpp"
#include "solver/neighbours/tree_shape.hpp"

namespace recta::neighbours {

constexpr Index kCut = 3; // numbers of a node: the column of its cut, and the coordinates at its two sides

// Every node is cut at the median of its widest column, by (coordinate, row number). The rows of a leaf lie in the
// order of their numbers, so the tree has the same bits at any number of threads.
TreeParts build_kd_tree(const Points& points, const TreeShape& shape, Pool& pool);

// The number that would be at place `nth` if these were sorted, which are moved about. Expected to be linear: a sample
// says between which two numbers it lies, and what is outside is only counted (Floyd and Rivest, Expected time bounds
// for selection, 1975).
double select_nth(std::span<double> numbers, Index nth, std::vector<double>& scratch);

} // namespace recta::neighbours
