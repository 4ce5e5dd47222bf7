// Proximal Newton method with a penalty on absolute values (Lee, Sun and Saunders 2014): at every point the loss is
// replaced by its parabola, which leaves an elastic net from p x p sums that solver/coordinate_descent solves exactly.
// Once the zeros are the right ones, a step is a Newton step over the others, so the convergence at the end is
// quadratic. It makes one pass over the rows per step.
//
// The parabola at (w, b) is the weighted least squares of t = z - l'/l'' with weights v l'' (offsets subtracted): its
// products with the columns come from the Gram of curvatures, C w - gradient, and no row is read for them.
#pragma once

#include "solver/newton/newton.hpp"

namespace recta {

struct ProximalSolution {
  NewtonSolution newton;
  double lambda1_max = 0; // from this value on every coefficient is zero; found only when starting at the best constant
};

// For losses whose curvature is positive everywhere; the objective has positive lambda1.
Result<ProximalSolution> solve_by_proximal_newton(const NewtonProblem& problem, RowSource& rows, Pool& pool,
                                                  const Watch& watch = {});

// The same for sparse rows with few columns, kept in memory, with sums in double (stored_curvature.hpp). It ends when a
// certificate without p x p sums proves the tolerance.
Result<ProximalSolution> solve_by_stored_products(const NewtonProblem& problem, RowSource& rows, Pool& pool,
                                                  const Watch& watch = {});

} // namespace recta
