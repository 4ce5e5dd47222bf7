// Softmax regression of sparse rows with a penalty on squares and so many columns that p x p numbers do not fit:
// Newton's method, every step by conjugate gradients (truncated Newton: Dembo and Steihaug 1983) with the Hessian's
// diagonal as preconditioner, as in solver/newton/conjugate.hpp for two classes. The rows and their probabilities are
// kept in memory: a step of conjugate gradients is two products of the rows with all classes (class_panels.hpp), and
// the length of a step costs none, since scores move along a line.
//
// It ends when the bound
//   F - F* <= sum_jk g_jk^2 / (2 lambda2 u_j) + (the share of the constants' own slopes)
// is within the tolerance, which is what the certificate proves (g the gradient). Conjugate gradients end there too:
// the last step is no more exact than it needs to be.
#pragma once

#include "solver/softmax/softmax.hpp"

namespace recta {

// Whether the method applies: positive lambda2, no lambda1, sparse rows whose number is known, and n K within reason.
bool conjugate_softmax_fits(const SoftmaxProblem& problem, const RowSource& rows);

Result<SoftmaxSolution> solve_conjugate_softmax(const SoftmaxProblem& problem, RowSource& rows, Pool& pool,
                                                const Watch& watch);

} // namespace recta
