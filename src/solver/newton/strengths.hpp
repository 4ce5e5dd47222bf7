// Logistic regression at many strengths of a penalty together (solver/together), for searches: as exactly as
// losses of other rows can tell, and not to the last digit of the coefficients.
#pragma once

#include "solver/newton/newton.hpp"

namespace recta {

// The penalties of the problem's objective are those of strength 1. Strengths in falling order. Empty: it does not pay
// for these rows, or a sample of them does not serve.
Result<std::vector<NewtonSolution>> solve_strengths(const NewtonProblem& problem, const std::vector<double>& strengths,
                                                    RowSource& rows, Pool& pool, const Watch& watch);

} // namespace recta
