// The share of a total that a model explains: R^2 and similar measures.
#pragma once

#include <cmath>
#include <limits>

namespace recta {

// 1 - left / total; 0 if the two differ only by the rounding of that quotient, which may have either sign.
inline double explained_share(double left, double total) {
  const double share = 1 - left / total;
  return std::abs(share) <= 4 * std::numeric_limits<double>::epsilon() ? 0 : share;
}

} // namespace recta
