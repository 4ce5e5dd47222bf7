// Least squares and ridge with more columns than rows, through the n x n problem. With A the rows about the means, in
// units in which every column is penalised alike, and tau = W lambda2:
//
//   ridge:          (A A' + tau) a = y,  w = A'a                     Cholesky, n^2 p + n^3 / 3
//   least squares:  A' = Q R,  R' = U S V',  w = Q V S^+ U'y         the answer of least norm, 2 n^2 p + O(n^3)
//
// The second does not square the condition number. Both are corrected twice by y - A w - tau a; for ridge, whose w may
// be far smaller than the terms it sums, a, w and that remainder are kept in double-double.
#pragma once

#include "solver/least_squares.hpp"

namespace recta {

Result<LeastSquaresSolution> solve_dual(const LeastSquaresProblem& problem, RowSource& rows, Pool& pool,
                                        const Watch& watch);

} // namespace recta
