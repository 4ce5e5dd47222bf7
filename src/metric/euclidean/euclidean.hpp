// Root of the sum of squared differences: sqrt(sum_j w_j (a_j - b_j)^2).
#pragma once

#include "metric/list.hpp"

namespace recta::neighbours::euclidean {

struct Leaf {
  static constexpr std::string_view kWord = "euclidean";
  static Measure norm(const Metric&) { return Euclidean{}; }
  static double weighed(const Metric&, double w) { return std::sqrt(w); }
};

} // namespace recta::neighbours::euclidean
