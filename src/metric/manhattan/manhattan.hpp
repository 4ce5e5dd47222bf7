// Sum of differences: sum_j w_j |a_j - b_j|.
#pragma once

#include "metric/list.hpp"

namespace recta::neighbours::manhattan {

struct Leaf {
  static constexpr std::string_view kWord = "manhattan";
  static Measure norm(const Metric&) { return Manhattan{}; }
  static double weighed(const Metric&, double w) { return w; }
};

} // namespace recta::neighbours::manhattan
