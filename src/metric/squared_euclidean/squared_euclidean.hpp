// Sum of squared differences, which is searched by its root: sum_j w_j (a_j - b_j)^2.
#pragma once

#include "metric/list.hpp"

namespace recta::neighbours::squared_euclidean {

struct Leaf {
  static constexpr std::string_view kWord = "squared-euclidean";
  static Measure norm(const Metric&) { return Euclidean{}; }
  static double weighed(const Metric&, double w) { return std::sqrt(w); }
  static double reported(double measured) { return measured * measured; }
  static double bound(double distance) { return std::max(std::sqrt(distance) * kSlack, 0x1p-500); }
};

} // namespace recta::neighbours::squared_euclidean
