// Softmax regression under a penalty on absolute values (softmax.hpp says how).
#pragma once

#include "solver/softmax/softmax.hpp"

namespace recta {

Result<SoftmaxSolution> solve_sparse_softmax(const SoftmaxProblem& problem, RowSource& rows, Pool& pool,
                                             const Watch& watch);

} // namespace recta
