// The share of the columns that differ, by their weights.
#pragma once

#include "metric/list.hpp"

namespace recta::neighbours::hamming {

struct Leaf {
  static constexpr std::string_view kWord = "hamming";
  static constexpr bool kTriangle = true, kWeights = true;
  static double distance(const double* a, const double* b, Index p, const OwnNumbers& numbers) {
    if (numbers.weights.empty()) {
      Index differing = 0;
      for (Index j = 0; j < p; ++j) differing += a[j] != b[j] ? 1 : 0;
      return p > 0 ? static_cast<double>(differing) / static_cast<double>(p) : 0;
    }
    double apart = 0, all = 0;
    for (Index j = 0; j < p; ++j) {
      all += numbers.weights[at(j)];
      apart += a[j] != b[j] ? numbers.weights[at(j)] : 0;
    }
    return apart / all;
  }
};

} // namespace recta::neighbours::hamming
