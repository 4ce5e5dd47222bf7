// Least squares from the Gram of the rows: one pass of products, a Cholesky factor, and refinement on the rows.
//
// With kappa the condition number of the features scaled to unit length, the products lose kappa^2 u of the answer;
// each refinement pass multiplies the error by that again, so that the answer reaches u kappa like an orthogonal method
// (corrected seminormal equations, Bjorck 1987). Small data, and data whose columns are so alike that kappa^2 u leaves
// nothing, are gathered in double-double, which is the same method with u^2 in place of u.
#pragma once

#include "solver/least_squares.hpp"

namespace recta {

// `fallback` is set, and the solution holds only the Gram, if double precision cannot tell some columns apart and
// double-double would be slow: an orthogonal method must take over. `insist`: never fall back, but say what was lost.
struct GramOutcome {
  LeastSquaresSolution solution;
  bool fallback = false;
};

Result<GramOutcome> solve_gram(const LeastSquaresProblem& problem, bool insist, RowSource& rows, Pool& pool,
                               const Watch& watch);

// Gathers the Gram alone, unless the problem brings it, and returns a solution that has only that.
Result<LeastSquaresSolution> gather_gram(const LeastSquaresProblem& problem, RowSource& rows, Pool& pool,
                                         const Watch& watch);

} // namespace recta
