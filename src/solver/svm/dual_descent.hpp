// Linear machines by dual coordinate descent (Hsieh, Chang, Lin, Keerthi, Sundararajan 2008): w = sum_i beta_i x_i is
// kept, and one coefficient after the other goes to its minimum; rows that stay at an end of their box are left out
// until the others are done (shrinking).
//
// The intercept is free, sum_i beta_i = 0, which single coefficients cannot keep. The method of multipliers adds b sum
// beta + (rho / 2) (sum beta)^2 to -D, as if every row had one more column sqrt(rho), and sets b to b + rho sum beta
// when a subproblem is solved well enough. rho is 100 / n times the mean square of a row's length (at most that), so
// that the sum weighs about as much as the rows together do: if it outweighed them by far, every step would have to
// undo the last one's.
//
// The weights v of heavy columns are such multipliers too, their penalty d v^2 / 2 with d = 1 / S^2 next to none
// (heavy_columns.hpp). A subproblem has (1 - d) / 2 (v - v')^2 more, v' the multiplier so far: its minimum is
// v = sum_i beta_i z_i + (1 - d) v', what the weight of an ordinary column z would be but for its beginning.
#pragma once

#include "solver/svm/heavy_columns.hpp"

namespace recta::svm {

struct DescentSettings {
  double violation = 1e-3; // ends when no slope is further off, nor the sum of the coefficients from zero
  Index passes = 300;      // over the rows, at most
  std::uint64_t seed = 0;  // of the order
  std::span<const HeavyColumn> heavy = {}; // of rows in their units
};

struct DescentPoint {
  std::vector<double> beta, w;
  double b = 0;
};

// Improves the point; returns the passes made. Stops early if nobody wants it to go on.
Index descend(const Problem& problem, const LinearRows& rows, const DescentSettings& settings, DescentPoint& point);

} // namespace recta::svm
