// Largest difference: max_j w_j |a_j - b_j|.
#pragma once

#include "metric/list.hpp"

namespace recta::neighbours::chebyshev {

struct Leaf {
  static constexpr std::string_view kWord = "chebyshev";
  static Measure norm(const Metric&) { return Chebyshev{}; }
  static double weighed(const Metric&, double w) { return w; }
};

} // namespace recta::neighbours::chebyshev
