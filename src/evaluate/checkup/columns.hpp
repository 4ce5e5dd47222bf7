// A description of one column: how many values, how many different ones, where they lie, and whether an earlier column
// already says the same.
#pragma once

#include <recta/evaluate.hpp>

#include <span>

namespace recta::checkup {

// Deviations are those of the rows at hand, sqrt(sum (x - mean)^2 / n), in two passes of compensated sums.
ColumnCheck check_column(const Column& column, Index first_row);

// The check of a target, with its classes if it may hold labels: categories, or a few whole numbers.
TargetCheck check_target(const Column& column, Index first_row);

// Names the earlier column with the same values, if there is one.
void find_duplicates(std::span<const Column* const> columns, std::span<ColumnCheck> checks);

// The columns of a sparse block, each with its zeros: numbers only, no duplicates looked for.
std::vector<ColumnCheck> check_sparse(const SparseColumns& sparse, Index rows);

} // namespace recta::checkup
