// A sum of squared leave-one-out errors, some of which may be infinite.
#pragma once

#include "base/double_double.hpp"

#include <limits>

namespace recta {

constexpr double kOwnFit = 1e-8; // if 1 - h is at most this, a row determines its own fit

// Infinity stays infinity, without the NaN that a double-double would make of it.
inline void add_left_out(double& sum, double& low, DoubleDouble value) {
  const DoubleDouble joined = DoubleDouble(sum, low) + value;
  const bool finite = std::isfinite(sum) && std::isfinite(value.hi);
  sum = finite ? joined.hi : std::numeric_limits<double>::infinity();
  low = finite ? joined.lo : 0;
}

} // namespace recta
