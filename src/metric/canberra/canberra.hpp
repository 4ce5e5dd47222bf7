// sum_j w_j |a_j - b_j| / (|a_j| + |b_j|), 0/0 = 0.
#pragma once

#include "metric/list.hpp"

namespace recta::neighbours::canberra {

struct Leaf {
  static constexpr std::string_view kWord = "canberra";
  static constexpr bool kTriangle = true, kWeights = true;
  static double distance(const double* a, const double* b, Index p, const OwnNumbers& numbers) {
    const double* weight = numbers.weights.empty() ? nullptr : numbers.weights.data();
    return lane_sum(p, [=](Index j) {
      const double size = std::fabs(a[j]) + std::fabs(b[j]), w = weight != nullptr ? weight[j] : 1;
      return size > 0 ? w * (std::fabs(a[j] - b[j]) / size) : 0.0;
    });
  }
};

} // namespace recta::neighbours::canberra
