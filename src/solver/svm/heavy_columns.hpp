// Columns of numbers far larger than those of all other columns together. Half the square of the weight of such a
// column x = S z, in units of its z, is (v / S)^2 / 2: next to no penalty. In the dual it is a condition
//
//   sum_i beta_i z_i = v / S^2
//
// which coefficients one at a time, or products of rows, lose in the rounding of S^2 times its left side. Methods that
// know of it treat v as they treat the intercept, whose condition is sum_i beta_i = 0.
#pragma once

#include "solver/svm/linear_rows.hpp"
#include "solver/svm/state.hpp"

namespace recta::svm {

struct HeavyColumn {
  Index column = 0;
  double unit = 1;            // S, a power of two: z are exact, and as large as rows are without heavy columns
  std::vector<double> z = {}; // by row
  double weight = 0;          // v
  double penalty() const { return 1 / (unit * unit); }
};

// sum_i beta_i z_i, and how far the rounding of the coefficients may take it.
struct HeavySum {
  double sum = 0, rounding = 0;
};
HeavySum sum_of(const HeavyColumn& column, std::span<const double> beta);

// None if too many columns are large: units are then of no use.
std::vector<HeavyColumn> heavy_columns(const Problem& problem, const LinearRows& rows, Pool& pool);

// The rows with z in place of x.
LinearRows in_units(const LinearRows& rows, std::span<const HeavyColumn> columns);

} // namespace recta::svm
