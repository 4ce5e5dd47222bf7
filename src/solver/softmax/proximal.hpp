// Softmax regression under a penalty on absolute values (softmax.hpp says how).
#pragma once

#include "solver/coordinate_descent/term.hpp"
#include "solver/softmax/looks.hpp"

namespace recta {

Result<SoftmaxSolution> solve_sparse_softmax(const SoftmaxProblem& problem, RowSource& rows, Pool& pool,
                                             const Watch& watch);

// Penalties of a weight of column j.
descent::Term softmax_term(const SoftmaxProblem& problem, Index j);
// The gap with P itself as dual point, scaled if the penalty has no squares; constants add what their slopes imply,
// roughly.
double sparse_softmax_gap(const SoftmaxProblem& problem, const ClassVector& at, const SoftmaxLooks::Look& look_at);

} // namespace recta
