// Softmax regression at many strengths of a penalty of squares together (solver/together), for searches: as exactly as
// losses of other rows can tell, and not to the last digit of the coefficients.
#pragma once

#include "solver/softmax/softmax.hpp"

namespace recta {

// Strengths in falling order. Empty: it does not pay for these rows, or a sample of them does not serve.
Result<std::vector<SoftmaxSolution>> solve_strengths(const SoftmaxProblem& problem,
                                                     const std::vector<double>& strengths, RowSource& rows, Pool& pool,
                                                     const Watch& watch);

} // namespace recta
