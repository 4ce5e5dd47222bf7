// e^t - 1 - t without cancellation, which the losses of counts and positive numbers are made of. Near zero it uses the
// series t^2 (1/2! + t/3! + t^2/4! + ...), whose terms beyond the last are below 2^-53 of the first.
//
// Relative error, u = 2^-53: 8 u of the series. Beyond 1/2 the error of expm1, 4 u of it, is at most 4.4 times as much
// of the difference, and the subtraction adds u: less than 32 u in all.
#pragma once

#include "base/elementary.hpp"

#include <array>
#include <cmath>

namespace recta::loss {

inline constexpr std::array<double, 16> kExpSeries = [] {
  std::array<double, 16> series{};
  double factorial = 2;
  for (std::size_t k = 0; k < series.size(); factorial *= static_cast<double>(k + 3), ++k) series[k] = 1 / factorial;
  return series;
}();

// Sums `terms` terms of the series, an even number. Even and odd terms are kept apart, so that neither waits for the
// other.
template <std::size_t terms>
double exp_series(double t) {
  const double u = t * t;
  double even = 0, odd = 0;
  for (std::size_t k = terms; k >= 2; k -= 2) {
    even = even * u + kExpSeries[k - 2];
    odd = odd * u + kExpSeries[k - 1];
  }
  return u * (even + t * odd);
}

inline double exp_rest(double t) {
  const double size = std::abs(t);
  if (size < 0x1p-10) return exp_series<6>(t);
  if (size <= 0.5) return exp_series<16>(t);
  return std::expm1(t) - t;
}

// An upper bound on e^s - 1 - s over all s within `off` of t. The function falls up to zero and rises from there,
// faster on the right than on the left.
inline double exp_rest_at_most(double t, double off) {
  const double farthest = t < -off ? t - off : std::abs(t) + off;
  return (1 + 64 * 0x1p-53) * exp_rest(farthest);
}
// The same bound for e^t.
inline double exp_at_most(double t, double off) {
  return (1 + 2 * kElementaryError) * std::exp(t + off);
}

} // namespace recta::loss
