// Softmax regression of sparse rows with so many columns that p x p numbers are too many, under squares: Newton's
// method, every step by conjugate gradients (truncated Newton: Dembo and Steihaug 1983) with the Hessian's diagonal as
// preconditioner, as solver/newton/conjugate.hpp does for two classes. The rows are kept in memory and so are their
// probabilities: a step of conjugate gradients is two products of the rows with all classes (class_panels.hpp), and the
// length of a step costs none, since scores move along a line.
//
// It ends where the bound
//   F - F* <= sum_jk g_jk^2 / (2 lambda2 u_j) + (what the constants' own slopes add)
// is within the tolerance, which is what the certificate says (g the gradient). Conjugate gradients end there too: the
// last step is no more exact than it needs to be.
#pragma once

#include "solver/softmax/softmax.hpp"

namespace recta {

// Whether what it keeps fits: lambda2 above zero, no lambda1, sparse rows whose number is known, and n K within reason.
bool conjugate_softmax_fits(const SoftmaxProblem& problem, const RowSource& rows);

Result<SoftmaxSolution> solve_conjugate_softmax(const SoftmaxProblem& problem, RowSource& rows, Pool& pool,
                                                const Watch& watch);

} // namespace recta
