// sqrt(p / c * sum_j (a_j - b_j)^2) over the c of p columns that both rows have (Dixon, Pattern recognition with partly
// missing data, 1979); NaN is a missing value. Rows without a common column are infinitely far apart.
#pragma once

#include "metric/list.hpp"

namespace recta::neighbours::nan_euclidean {

struct Leaf {
  static constexpr std::string_view kWord = "nan-euclidean";
  static constexpr bool kTriangle = false, kMissing = true;
  static double distance(const double* a, const double* b, Index p, const OwnNumbers&) {
    double sum = 0;
    Index common = 0;
    for (Index j = 0; j < p; ++j) {
      const double apart = a[j] - b[j];
      if (std::isnan(apart)) continue;
      sum += apart * apart;
      ++common;
    }
    return common > 0 ? std::sqrt(static_cast<double>(p) / static_cast<double>(common) * sum) : kInfinity;
  }
};

} // namespace recta::neighbours::nan_euclidean
