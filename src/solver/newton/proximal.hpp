// Newton's method with a penalty on absolute values (Lee, Sun and Saunders 2014): at every point the loss is replaced
// by its parabola, and what is left is an elastic net from p x p sums, which solver/coordinate_descent ends exactly.
// Once the zeros are the right ones a step is Newton's step over the others, so the end is quadratic. One pass over the
// rows a step.
//
// The parabola at (w, b) is the weighted least squares of t = z - l'/l'' with weights v l'' (offsets taken off): its
// products with the columns come from the Gram of curvatures, C w - gradient, and no row is read for them.
#pragma once

#include "solver/newton/newton.hpp"

namespace recta {

struct ProximalSolution {
  NewtonSolution newton;
  double lambda1_max = 0; // from there on every coefficient is zero; found from the best constant alone
};

// For losses whose curvature is positive everywhere; the objective has lambda1 above zero.
Result<ProximalSolution> solve_by_proximal_newton(const NewtonProblem& problem, RowSource& rows, Pool& pool,
                                                  const Watch& watch = {});

// The same for sparse rows whose columns are few, kept in memory, with sums in double (stored_curvature.hpp). It ends
// where a certificate without p x p sums proves the tolerance.
Result<ProximalSolution> solve_by_stored_products(const NewtonProblem& problem, RowSource& rows, Pool& pool,
                                                  const Watch& watch = {});

} // namespace recta
