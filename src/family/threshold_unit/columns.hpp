// Means and deviations of columns, for coefficients in units of the columns' spread.
#pragma once

#include "base/pool.hpp"
#include "classes/two_classes.hpp"

namespace recta {

struct ColumnUnits {
  std::vector<double> mean, deviation;
};

// The units of held sparse rows, in two passes over their numbers: the means, then the squares about them. Plain sums
// of squares of deviations lose no more than a digit or two, at a fraction of the cost of double-double.
ColumnUnits column_units(const TwoClasses& two, Pool& pool);

} // namespace recta
