// Newton's method where p x p numbers are too many: every step is solved by conjugate gradients (truncated Newton:
// Dembo and Steihaug 1983). The Hessian is never formed; the preconditioner is its diagonal and, of sparse rows, its
// block of the 128 columns that most rows have, from some of the rows: on rows of words that halves the steps. The rows
// are kept in memory; beside them it takes O(n + p) numbers. One pass over the rows a step of conjugate gradients, and
// one a step of Newton's; lengths of steps cost no pass, since the predictions move along a line.
//
// Columns are taken about their means where there is an intercept: <x - m, w> + b. The end is where the bound
//   F - F* <= sum_j g_j^2 / (2 lambda2 u_j) + (what the intercept's own slope adds)
// is within the tolerance, which is what a certificate without p x p sums can say (g the gradient).
#pragma once

#include "solver/newton/newton.hpp"

namespace recta {

// For losses whose curvature is positive everywhere; the objective has lambda2 above zero and no lambda1.
Result<NewtonSolution> solve_by_conjugate_newton(const NewtonProblem& problem, RowSource& rows, Pool& pool,
                                                 const Watch& watch = {});

} // namespace recta
