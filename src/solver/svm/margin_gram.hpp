// The squares of the rows short of the margin, as sums over them: what a lasso needs when columns are few beside rows.
//
// Of the rows of weight T_i > 0, with scores z_i and coefficients beta_i, these are the weighted least squares of
// z_i + beta_i / T_i. Their products with the columns come from X'T X w and the gradient X'beta, so that a step from a
// point near the minimum takes off the rounding of X'T X, whatever the units of the columns.
#pragma once

#include "solver/svm/linear_rows.hpp"
#include "stats/gram/gram.hpp"

namespace recta::svm {

struct GramPoint {
  std::span<const double> w;
  double b = 0;
  std::span<const double> beta, weight; // by row; weight 0: beyond the margin, and beta is 0
};

// A sum of the weights must be positive.
Gram margin_gram(const LinearRows& rows, const GramPoint& point, Pool& pool);

} // namespace recta::svm
