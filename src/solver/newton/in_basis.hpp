// Newton's method for columns that are alike: in a basis that tells them apart (certificate/loss/find_basis), and back.
//
// Coefficients in the basis are of one size, those of the columns may be 1e12 and cancel. They are rounded to doubles
// one after the other, each where the roundings before it have moved the best one (solver/closed_form/near_doubles).
// Where even so rounding costs more than the tolerance, the answer without these columns is tried, and the better is
// kept.
//
// Columns that are combinations of others to rounding leave many answers. The one of least norm is given: with x_D =
// F'x_B for the columns B in use and D left out, it is w_D = s, w_B = beta - F s, (I + F'F) s = F'beta, beta the answer
// over B alone.
#pragma once

#include "solver/newton/newton.hpp"
#include "stats/gram/gram.hpp"

#include <functional>

namespace recta {

using NewtonMethod = std::function<Result<NewtonSolution>(const NewtonProblem&, RowSource&)>;

// `first`: products of the rows, from the start of a method that found columns alike.
Result<NewtonSolution> solve_in_basis(const NewtonProblem& problem, const Gram& first, RowSource& rows,
                                      const NewtonMethod& method, Pool& pool, const Watch& watch);

} // namespace recta
