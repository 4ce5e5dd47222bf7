// e^t - 1 - t without cancellation: what the losses of counts and positive numbers are made of. Near zero by its
// series t^2 (1/2! + t/3! + t^2/4! + ...), whose terms beyond the last are below 2^-53 of the first.
#pragma once

#include <array>
#include <cmath>

namespace recta::loss {

inline constexpr std::array<double, 16> kExpSeries = [] {
  std::array<double, 16> made{};
  double factorial = 2;
  for (std::size_t k = 0; k < made.size(); factorial *= static_cast<double>(k + 3), ++k) made[k] = 1 / factorial;
  return made;
}();

// `terms` of the series, an even number; even and odd ones apart, so that neither waits for the other.
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

} // namespace recta::loss
