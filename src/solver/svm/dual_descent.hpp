// Linear machines by dual coordinate descent (Hsieh, Chang, Lin, Keerthi, Sundararajan 2008): w = sum_i beta_i x_i is
// kept, and one coefficient after the other goes to its minimum; rows that stay at an end of their box are left out
// until the others are done (shrinking).
//
// The intercept is free, sum_i beta_i = 0, which single coefficients cannot keep. The method of multipliers adds b sum
// beta + (rho / 2) (sum beta)^2 to -D, as if every row had one more column sqrt(rho), and sets b to b + rho sum beta
// when a subproblem is solved well enough; rho is the mean square of a row's length.
#pragma once

#include "solver/svm/linear_rows.hpp"
#include "solver/svm/state.hpp"

namespace recta::svm {

struct DescentSettings {
  double violation = 1e-3; // ends when no slope is further off, nor the sum of the coefficients from zero
  Index passes = 300;      // over the rows, at most
  std::uint64_t seed = 0;  // of the order
};

struct DescentPoint {
  std::vector<double> beta, w;
  double b = 0;
};

// Improves the point; returns the passes made. Stops early if nobody wants it to go on.
Index descend(const Problem& problem, const LinearRows& rows, const DescentSettings& settings, DescentPoint& point);

} // namespace recta::svm
