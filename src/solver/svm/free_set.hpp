// The end of a search: coefficients inside their boxes are solved for together, those at an end stay there,
//
//   K_FF d + ridge d + e nu = -slope_F,   e'd = 0 if there is an intercept,
//
// a step as long as the boxes allow, coefficients that reach an end leave the set, rows that violate the conditions of
// the optimum join it: an active set method, which ends in the exact answer after finitely many steps. Columns of K_FF
// that depend on others to rounding are left as they are.
//
// Heavy columns z have a condition each, z'(beta + d) = (v + dv) / S^2, and a multiplier dv, as the intercept has 1 and
// nu. K_FF has the products z z' all the same, which keep it from being singular: with q = 1 / S^2 and the multiplier
// mu = (1 - q) dv - (q v - z'beta) the system is
//
//   K_FF d + ridge d + e nu + z mu = -slope_F,   z'd - q / (1 - q) mu = (q v - z'beta) / (1 - q).
#pragma once

#include "base/pool.hpp"
#include "solver/svm/heavy_columns.hpp"

#include <functional>

namespace recta::svm {

struct FreeSetRows {
  Pool& pool;
  std::function<void(std::span<const Index> rows, double* gram)> gram;                           // k x k
  std::function<void(std::span<const Index> rows, std::span<const double> change, State&)> move; // beta and f
  std::span<HeavyColumn> heavy = {}; // what they add to f is moved here, and their weights
};

struct FreeSetLimits {
  Index largest = 3000; // coefficients at once
  Index rounds = 100;
  double violation = 0; // ends when it is no larger
  bool at_once = false; // all coefficients that a whole step takes beyond an end of their box leave the set there, and
                        // all rows that violate the conditions join it: a few steps of many rows, if the set is nearly
                        // the right one, and none that help if it is not (Hintermueller, Ito, Kunisch 2002)
};

// Returns whether the conditions were met within the limits. D never falls, unless all move at once: the state is then
// worth nothing if they were not.
bool finish_on_free_set(const Problem& problem, const FreeSetRows& rows, const FreeSetLimits& limits, State& state);

} // namespace recta::svm
