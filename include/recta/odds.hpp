// The functions of the log-odds model: P = sigma(z), z = <w, x> + b, so that e^w_j is the factor by which the odds of
// the positive class grow with x_j (docs/logistic.md). Exact to the last digits at both ends; nothing overflows.
#pragma once

#include <cmath>

namespace recta {

inline double sigmoid(double z) { // 1 / (1 + e^-z)
  const double e = std::exp(-std::abs(z));
  return z >= 0 ? 1 / (1 + e) : e / (1 + e);
}

inline double sigmoid_derivative(double z) { // sigma(z) (1 - sigma(z)), whatever the side
  const double e = std::exp(-std::abs(z));
  return e / ((1 + e) * (1 + e));
}

inline double odds(double p) {
  return p / (1 - p);
}

inline double log_odds(double p) { // the inverse of sigma; next to 1/2 without a difference of logarithms
  return p > 0.25 && p < 0.75 ? std::log1p((2 * p - 1) / (1 - p)) : std::log(p) - std::log1p(-p);
}

} // namespace recta
