// The local outlier factor (Breunig, Kriegel, Ng and Sander, LOF: identifying density-based local outliers, 2000).
//
//   reach(x, o) = max(distance of o to its k-th nearest row, distance of x and o)
//   LOF(x) = mean over the k nearest rows o of  m(x) / m(o),   m(x) = mean reach of x over its k nearest rows.
//
// 1 / m is the density around a row: factors near 1 are usual, those well above 1 lie where their neighbours are much
// denser. If m(o) is zero, o has k rows equal to it: 0 / 0 is 1, and a quotient by zero is kLargestFactor.
#pragma once

#include "objective/neighbours/metric.hpp"

namespace recta::neighbours {

inline constexpr double kLargestFactor = 1e300;

struct LocalDensity {
  std::vector<double> reach;  // of every training row, the distance to its k-th nearest other
  std::vector<double> spread; // m
  std::vector<double> factor; // LOF
  bool operator==(const LocalDensity&) const = default;
};

// m of a row with these neighbours; `distance` gives what users see.
template <class Distance>
double spread_of(std::span<const Neighbour> list, const std::vector<double>& reach, const Distance& distance) {
  double sum = 0;
  for (const Neighbour& neighbour : list) sum += std::max(reach[at(neighbour.row)], distance(neighbour.distance));
  return sum / static_cast<double>(list.size());
}

inline double factor_of(std::span<const Neighbour> list, const std::vector<double>& spread, double row_spread) {
  double sum = 0;
  for (const Neighbour& neighbour : list) {
    const double other = spread[at(neighbour.row)];
    sum += row_spread == other ? 1 : std::min(row_spread / other, kLargestFactor);
  }
  return std::min(sum / static_cast<double>(list.size()), kLargestFactor);
}

} // namespace recta::neighbours
