// Exact summaries of each column by itself: what scaling a column needs.
#pragma once

#include <recta/estimator.hpp>

namespace recta {

// Missing numbers (NaN) and infinities are counted and otherwise left out, each column for itself.
struct ColumnSummary {
  Index count = 0, missing = 0, infinite = 0; // rows of positive weight
  double weight = 0, mean = 0, variance = 0;  // weight of the rows that count; variance = scatter / weight
  double least = 0, largest = 0;
};

// One entry per column of x; y and offset are not looked at. The sums are double-double and have the same bits at any
// number of threads.
Result<std::vector<ColumnSummary>> column_moments(const Arrays& rows, int threads = 0);

} // namespace recta
