// Softmax regression with a penalty on absolute values and many columns: it solves over those columns alone that some
// class uses or that violate their condition, copied out of the rows; then it looks at all columns once, until none is
// missing.
#pragma once

#include "solver/softmax/softmax.hpp"

namespace recta {

Result<SoftmaxSolution> solve_wide_sparse_softmax(const SoftmaxProblem& problem, RowSource& rows, Pool& pool,
                                                  const Watch& watch);

} // namespace recta
