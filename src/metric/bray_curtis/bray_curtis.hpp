// sum_j |a_j - b_j| / sum_j |a_j + b_j|, 0/0 = 0. A way over a third row may be shorter: of (1, 0), (0, 1) and (1, 1)
// the first two are 1 apart, and each 1/3 from the third.
#pragma once

#include "metric/list.hpp"

namespace recta::neighbours::bray_curtis {

struct Leaf {
  static constexpr std::string_view kWord = "bray-curtis";
  static constexpr bool kTriangle = false;
  static double distance(const double* a, const double* b, Index p, const OwnNumbers&) {
    const double apart = lane_sum(p, [=](Index j) { return std::fabs(a[j] - b[j]); });
    const double size = lane_sum(p, [=](Index j) { return std::fabs(a[j] + b[j]); });
    return apart > 0 ? apart / size : 0;
  }
};

} // namespace recta::neighbours::bray_curtis
