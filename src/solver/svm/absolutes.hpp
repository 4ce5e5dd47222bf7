// Linear machines with the squared hinge and a penalty on absolute values:
//
//   P(w, b) = sum_j |w_j| + sum_i C_i / 2 max(0, 1 - t_i z_i)^2,   z = <w, x> + b
//
// While the set of rows short of the margin stays the same, the loss of such a row is exactly (t_i - z_i)^2 / 2, and
// the machine is a lasso over these rows (solver/coordinate_descent, which ends exactly). Every step goes towards the
// minimum of that lasso for as long as the objective falls. If the same rows are short of the margin after a full step,
// it has reached the minimum itself, with its exact zeros. This takes 5 to 30 steps, or fewer if the gap is within the
// tolerance before. If it takes more (rows that are
// nearly separable, at a large C), the costs are raised to their values tenfold at a time instead.
//
// Dense rows with fewer columns than rows go into the lasso as sums (margin_gram.hpp), in which steps next to the
// minimum take off the rounding that columns in very different units cause.
#pragma once

#include "solver/svm/linear.hpp"

namespace recta::svm {

LinearSolution solve_with_absolutes(const Problem& problem, const LinearRows& rows, double tolerance, Pool& pool);

} // namespace recta::svm
