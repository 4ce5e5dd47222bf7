// Least squares by orthogonal methods on the rows themselves, gathered as a triangle.
//
// qr: reflections are taken in the order of the columns, and combinations of earlier columns are set aside (a departure
//     from norm pivoting, so that the later one of two equal columns is named); then the answer of least norm.
// svd: R = U S V', w = V diag(s / (s^2 + W lambda2)) U'z, in units in which the penalty is the same for all columns;
//     singular values below 10 max(n, p) u of the largest count as zero. If columns of very different sizes hide a
//     direction in this way, the penalty is also taken as rows below R, and the answer of lower objective is given.
// Both lose kappa u of the answer where the Gram loses kappa^2 u; a pass over the rows with the residual in
// double-double then corrects it.
#pragma once

#include "solver/least_squares.hpp"

namespace recta {

// `gram` was gathered before: it holds the means, and certify() needs it.
Result<LeastSquaresSolution> solve_qr(const LeastSquaresProblem& problem, LeastSquaresSolution begun, RowSource& rows,
                                      Pool& pool, const Watch& watch);
Result<LeastSquaresSolution> solve_svd(const LeastSquaresProblem& problem, LeastSquaresSolution begun, RowSource& rows,
                                       Pool& pool, const Watch& watch);

} // namespace recta
