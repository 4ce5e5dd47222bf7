// Newton's method for rows that are not kept and columns too many for p x p sums: they stream past, or stand in parts
// on other machines. As in conjugate.hpp every step is solved by conjugate gradients, but each product with the Hessian
// is a pass over the rows, and so is each length of a step that is tried. Memory: O(p).
//
// Columns are centred if there is an intercept. The preconditioner is the diagonal of the Hessian as it would be if the
// curvature of a row had nothing to do with its numbers, which costs no pass. The method ends where conjugate.hpp ends.
#pragma once

#include "solver/newton/newton.hpp"

namespace recta {

// For losses whose curvature is positive everywhere; the objective has positive lambda2 and no lambda1. If interrupted
// before there is an answer, it returns an error of that name; afterwards the best answer so far.
Result<NewtonSolution> solve_by_product_passes(const NewtonProblem& problem, RowSource& rows, Pool& pool,
                                               const Watch& watch = {});

} // namespace recta
