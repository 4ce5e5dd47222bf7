// Least squares by orthogonal methods on the rows themselves, gathered as a triangle.
//
// qr: reflections taken in the order of the columns, those that are combinations of earlier ones set aside (a departure
//     from norm pivoting, so that of two equal columns the later one is named), then the answer of least norm.
// svd: R = U S V', w = V diag(s / (s^2 + W lambda2)) U'z, in units in which the penalty is the same for all columns;
//     singular values below 10 max(n, p) u of the largest count as zero. Where columns of very different sizes hide a
//     direction so, the penalty is also taken as rows below R, and the answer of the lower objective is given.
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
