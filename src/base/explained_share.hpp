// What a model explains of a total: R^2 and its kin.
#pragma once

#include <cmath>
#include <limits>

namespace recta {

// 1 - left / total; 0 where the two differ by the rounding of that quotient alone, which may have either sign.
inline double explained_share(double left, double total) {
  const double share = 1 - left / total;
  return std::abs(share) <= 4 * std::numeric_limits<double>::epsilon() ? 0 : share;
}

} // namespace recta
