// Gower, A general coefficient of similarity and some of its properties, 1971, for columns of numbers and categories:
//   sum_j w_j d_j / sum_j w_j   over the columns that both rows have,
// d_j = |a_j - b_j| / range_j of training for numbers (at most 1), 0 or 1 for categories. NaN is a missing number; a
// category all of whose levels are zero is missing. Two rows without a common column cannot be compared:
// they are infinitely far apart, and a query that such rows would have to answer is refused.
//
// What is learned, one number after another for every feature: 1 / range of a number (0 if it is constant), and the
// number of the category it is a level of, or -1. The features of a category stand together.
#pragma once

#include "metric/list.hpp"

namespace recta::neighbours::gower {

struct Leaf {
  static constexpr std::string_view kWord = "gower";
  static constexpr bool kTriangle = false, kWeights = true, kMissing = true;
  static Result<std::vector<double>> learn(const Sample& rows);
  static Index learned(Index cols) { return 2 * cols; }
  static constexpr std::string_view kNoDistance = "a row without any value has no distance";
  static bool map(const Metric& metric, double* row, Index cols);
  static double distance(const double* a, const double* b, Index p, const OwnNumbers& numbers);
};

} // namespace recta::neighbours::gower
