// Softmax regression under a penalty on absolute values where columns are many: over those alone that some class uses,
// or that break their condition, copied out of the rows; then one look at all of them, until none is missing.
#pragma once

#include "solver/softmax/softmax.hpp"

namespace recta {

Result<SoftmaxSolution> solve_wide_sparse_softmax(const SoftmaxProblem& problem, RowSource& rows, Pool& pool,
                                                  const Watch& watch);

} // namespace recta
