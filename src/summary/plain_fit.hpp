// The coefficients of one target as a summary holds them, of a model that has no standard errors and no sums of
// squares.
#pragma once

#include "stats/column_sums/column_sums.hpp"

#include <recta/model.hpp>

#include <span>
#include <string>
#include <vector>

namespace recta {

// Means and deviations of the columns, which standardised coefficients are made with.
void add_columns(const ColumnSums& sums, LinearSummary& out);

// `columns`: the summary that `add_columns` filled in.
TargetFit plain_fit(std::string target, const std::vector<std::string>& names, std::span<const double> w, double b,
                    const LinearSummary& columns);

} // namespace recta
