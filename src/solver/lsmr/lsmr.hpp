// LSMR (Fong and Saunders, SIAM J. Sci. Comput. 33(5), 2011): least squares and ridge by iteration, with one pass over
// the rows per step and no products of columns. For rows that are sparse, or too wide for any p x p matrix.
//
// Columns are scaled to unit length first (Jacobi); the penalty enters as rows sqrt(W lambda2 u_j) e_j, so any penalty
// factors will do. Least squares with fewer rows than columns keeps the columns' own units instead, since the answer of
// least norm is meant in those; so does a ridge whose penalty is small compared with every column. The part that the
// rows leave open is then decided by less than ||A'r|| can tell, and only in the units of the penalty does every step
// lie in the span of the rows, as the answer does. ||A'r|| never rises; the iteration ends when it has fallen to
// rounding.
#pragma once

#include "solver/least_squares.hpp"

namespace recta {

Result<LeastSquaresSolution> solve_lsmr(const LeastSquaresProblem& problem, RowSource& rows, Pool& pool,
                                        const Watch& watch);

} // namespace recta
