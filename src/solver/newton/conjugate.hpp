// Newton's method for so many columns that p x p numbers do not fit: every step is solved by conjugate gradients
// (truncated Newton: Dembo and Steihaug 1983). The Hessian is never formed; the preconditioner is its diagonal and, for
// sparse rows, its block of the 128 columns that most rows have, from some of the rows: on rows of words that halves
// the steps. The rows are kept in memory; beside them it takes O(n + p) numbers. It makes one pass over the rows per
// step of conjugate gradients, and one per Newton step; step lengths cost no pass, since the predictions move along a
// line.
//
// Columns are centred if there is an intercept: <x - m, w> + b. The method ends when the bound
//   F - F* <= sum_j g_j^2 / (2 lambda2 u_j) + (the share of the intercept's own slope)
// is within the tolerance, which is what a certificate without p x p sums can prove (g the gradient).
#pragma once

#include "solver/newton/newton.hpp"

namespace recta {

// For losses whose curvature is positive everywhere; the objective has positive lambda2 and no lambda1.
Result<NewtonSolution> solve_by_conjugate_newton(const NewtonProblem& problem, RowSource& rows, Pool& pool,
                                                 const Watch& watch = {});

} // namespace recta
