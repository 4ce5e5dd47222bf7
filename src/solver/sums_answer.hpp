// Steps shared by the solvers that never form products of columns: a first look at every column, and the answer.
#pragma once

#include "solver/closed_form/collected.hpp"
#include "solver/least_squares.hpp"
#include "stats/column_sums/column_sums.hpp"

namespace recta {

// Sums of every column, and a careful Gram for certify() if that costs nothing.
Result<ColumnSums> first_look(RowSource& rows, const LeastSquaresProblem& problem, Pool& pool, const Watch& watch,
                              LeastSquaresSolution& solution);

// Means, and lengths in which every column is penalised alike; 0 for constant columns.
RowUnits penalty_units(const LeastSquaresObjective& objective, const ColumnSums& sums);

// Writes w in the units of the data, one vector per target.
void write_down(const LeastSquaresProblem& problem, const ColumnSums& sums, const std::vector<std::vector<double>>& w,
                LeastSquaresSolution& solution);

} // namespace recta
