// (sum_j w_j |a_j - b_j|^power)^(1 / power), power from 1 up. Powers 1, 2 and infinity have names of their own.
#pragma once

#include "metric/list.hpp"

namespace recta::neighbours::minkowski {

struct Leaf {
  static constexpr std::string_view kWord = "minkowski";
  static constexpr bool kPower = true;
  static Measure norm(const Metric& metric) {
    if (metric.power == 1) return Manhattan{};
    if (metric.power == 2) return Euclidean{};
    if (metric.power == kInfinity) return Chebyshev{};
    return Minkowski{metric.power};
  }
  static double weighed(const Metric& metric, double w) {
    return metric.power == kInfinity ? w : std::pow(w, 1 / metric.power);
  }
};

} // namespace recta::neighbours::minkowski
