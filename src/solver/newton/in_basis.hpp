// A solver for nearly dependent columns: it solves in a basis that tells them apart (objective/loss/find_basis) and
// transforms the answer back.
//
// Coefficients in the basis are of one size, those of the columns may be 1e12 and cancel. They are rounded to doubles
// one after the other, each to the double nearest to its best value given the roundings before it
// (solver/closed_form/near_doubles). If rounding still costs more than the tolerance, the answer without these columns
// is tried, and the better one is kept.
//
// Columns that are combinations of others to rounding allow many answers. The one of least norm is given: with x_D =
// F'x_B for the columns B in use and D left out, it is w_D = s, w_B = beta - F s, (I + F'F) s = F'beta, beta the answer
// over B alone.
#pragma once

#include "solver/newton/newton.hpp"
#include "stats/gram/gram.hpp"

#include <functional>

namespace recta {

// The loss at an answer, and products of the rows that tell which of its roundings cost most.
struct BasisMeasure {
  Gram gram;
  double loss = 0; // sum v loss
};

struct BasisMethod {
  std::function<Result<NewtonSolution>(const NewtonProblem&, RowSource&)> solve;
  // One pass over rows in the basis, at (w, b) in the basis; the last argument holds the scale. Empty: the curvature.
  std::function<Result<BasisMeasure>(RowSource&, const std::vector<double>&, double, const NewtonSolution&)> measure;
};

// `first`: products of the rows, from the start of a method that found columns alike.
Result<NewtonSolution> solve_in_basis(const NewtonProblem& problem, const Gram& first, RowSource& rows,
                                      const BasisMethod& method, Pool& pool, const Watch& watch);

} // namespace recta
