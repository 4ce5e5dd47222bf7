// e^t - 1 - t without cancellation: what the losses of counts and positive numbers are made of. Near zero by its
// series, whose terms beyond t^18 / 18! are below 2^-53 of the first for |t| <= 1/2.
#pragma once

#include <cmath>

namespace recta::loss {

inline double exp_rest(double t) {
  if (std::abs(t) > 0.5) return std::expm1(t) - t;
  double sum = 0;
  for (int k = 17; k >= 2; --k) sum = (sum + 1) * t / k;
  return sum * t;
}

} // namespace recta::loss
