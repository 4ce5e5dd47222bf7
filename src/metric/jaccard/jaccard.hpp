// Rows as sets of the columns that are not zero: the share of their union that only one of them has. Two empty sets are
// equal.
#pragma once

#include "metric/list.hpp"

namespace recta::neighbours::jaccard {

struct Leaf {
  static constexpr std::string_view kWord = "jaccard";
  static constexpr bool kTriangle = true;
  static double distance(const double* a, const double* b, Index p, const OwnNumbers&) {
    Index both = 0, either = 0;
    for (Index j = 0; j < p; ++j) {
      both += a[j] != 0 && b[j] != 0 ? 1 : 0;
      either += a[j] != 0 || b[j] != 0 ? 1 : 0;
    }
    return either > 0 ? static_cast<double>(either - both) / static_cast<double>(either) : 0;
  }
};

} // namespace recta::neighbours::jaccard
