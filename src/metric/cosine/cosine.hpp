// 1 - cos of the angle between rows, which is |a - b|^2 / 2 of rows brought to length 1. With weights, of rows times
// their roots.
#pragma once

#include "metric/list.hpp"

namespace recta::neighbours::cosine {

struct Leaf {
  static constexpr std::string_view kWord = "cosine";
  static constexpr std::string_view kNoDistance = "a row of zeros has no direction for the metric cosine";
  static Measure norm(const Metric&) { return Euclidean{}; }
  static double weighed(const Metric&, double w) { return std::sqrt(w); }
  static bool map(const Metric&, double* row, Index cols) {
    double largest = 0;
    for (Index j = 0; j < cols; ++j) largest = std::max(largest, std::fabs(row[j]));
    if (!(largest > 0)) return false;
    const double length = std::sqrt(lane_sum(cols, [=](Index j) { return (row[j] / largest) * (row[j] / largest); }));
    for (Index j = 0; j < cols; ++j) row[j] = row[j] / largest / length;
    return true;
  }
  static double reported(double measured) { return measured * measured / 2; }
  static double bound(double distance) { return std::max(std::sqrt(2 * distance) * kSlack, 0x1p-500); }
};

} // namespace recta::neighbours::cosine
