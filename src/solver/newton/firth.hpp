// Logistic regression with Firth's correction (1993): the likelihood times sqrt(det I), I its own information. The
// answer is finite whatever the classes are (Kosmidis and Firth 2021). Steps are I^-1 times the corrected score, with
// two passes over the rows each, and are shortened if the objective does not fall. The bits are the same at any number
// of threads.
#pragma once

#include "solver/newton/newton.hpp"

namespace recta {

// Returns an error if columns depend on others: det I is then zero everywhere.
Result<NewtonSolution> solve_by_firth(const NewtonProblem& problem, RowSource& rows, Pool& pool,
                                      const Watch& watch = {});

} // namespace recta
