// Ridge by conjugate gradients (Hestenes and Stiefel, 1952) on H w = X'S y, H = X'S X + lambda2 U, for columns too many
// for p x p sums and rows that are not kept: they stand in parts on other machines. Every step takes the product of H
// with one vector, which is one pass over the rows, and nothing is kept of a single row. Memory: O(p).
//
// The columns are centred if there is an intercept, and the diagonal of H is the preconditioner. The recurrence is
// believed down to the goal; then a pass computes the gradient afresh, and if the gap is not what the recurrence said,
// the iteration begins again from where it is. It ends when the duality gap sum_j g_j^2 / (2 lambda2 u_j) is below the
// tolerance.
#pragma once

#include "solver/least_squares.hpp"

namespace recta {

// Every column has a penalty. If interrupted before the first look at the rows is done, it returns an error of that
// name; afterwards the best answer so far.
Result<LeastSquaresSolution> solve_conjugate_gradients(const LeastSquaresProblem& problem, RowSource& rows, Pool& pool,
                                                       const Watch& watch);

} // namespace recta
