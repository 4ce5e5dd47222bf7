// The end of a search: coefficients inside their boxes are solved for together, those at an end stay there,
//
//   K_FF d + ridge d + e nu = -slope_F,   e'd = 0 if there is an intercept,
//
// a step as long as the boxes allow, coefficients that reach an end leave the set, rows that violate the conditions of
// the optimum join it: an active set method, which ends in the exact answer after finitely many steps. Columns of K_FF
// that depend on others to rounding are left as they are.
#pragma once

#include "base/pool.hpp"
#include "solver/svm/state.hpp"

#include <functional>

namespace recta::svm {

struct FreeSetRows {
  Pool& pool;
  std::function<void(std::span<const Index> rows, double* gram)> gram;                           // k x k
  std::function<void(std::span<const Index> rows, std::span<const double> change, State&)> move; // beta and f
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
