// Linear machines with squared losses by Newton's method: the objective is quadratic as long as the same rows are
// beyond their margin or tube, so that a full step after which they still are ends in the minimum itself (Keerthi and
// DeCoste 2005). Steps are halved until the objective falls. Each costs n p^2, or what the products of the rows that
// changed sides cost; there are 3 to 15.
//
// The coefficients of a point are its losses' slopes, so that P - D there is 1/2 |w - X'beta|^2 and what it costs that
// they do not quite add up to zero: both are at hand before every step.
#pragma once

#include "solver/svm/linear_rows.hpp"
#include "solver/svm/state.hpp"

namespace recta::svm {

struct NewtonPoint {
  std::vector<double> beta, w;
  std::vector<double> z, pull; // scores, and X'beta
  double b = 0;
  Index steps = 0;
};

// Ends at a gap of this much, by sums in doubles, or where the same rows stay beyond.
NewtonPoint solve_by_newton(const Problem& problem, const LinearRows& rows, double gap, Pool& pool);

} // namespace recta::svm
