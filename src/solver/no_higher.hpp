// Near an optimum, steps are too short for values of the objective to tell whether they help, and are taken on trust,
// unless the value rises by more than rounding can explain.
#pragma once

#include <cmath>

namespace recta {

inline bool no_higher(double seen, double before) {
  return seen <= before + 1e-11 * std::abs(before);
}

} // namespace recta
