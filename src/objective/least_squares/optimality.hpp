// The distance of a point from the minimum of a quadratic, measured by a factor of its Hessian.
#pragma once

#include "objective/least_squares/quadratic.hpp"
#include "objective/least_squares/rounding.hpp"
#include "stats/residual/residual.hpp"

namespace recta {

// A column that the factor could not tell from a combination of earlier ones.
struct DroppedColumn {
  Index column = 0;
  std::vector<double> factors; // of all columns, about the means if centred; empty if not computed
};

// The columns that are not constant but that a factor of H sets aside.
std::vector<DroppedColumn> dropped_columns(const Quadratic& quadratic, Pool& pool);

struct Optimality {
  double objective = 0;     // F
  double suboptimality = 0; // F - F*
  double whole = 0;         // F again, rounded up: F - F* is never above it
  double slack = 0;         // the true F - F* is at most suboptimality + slack
  double coefficient_error = 0;
  double backward_error = 0;
  Index rank = 0;
  std::vector<DroppedColumn> dropped; // F* is then the minimum over the other columns
};

// w is p x k by column; residual is that of (w, b), with the gradient about `centre`. If merged, it is residual_from().
Optimality measure(const Quadratic& quadratic, const std::vector<double>& w, const std::vector<double>& b,
                   const Residual& residual, bool merged, Pool& pool);

// sum v r (x - mean) - T w of target t, from a pass whose gradient is about the rounded means.
std::vector<DoubleDouble> gradient_of(const Quadratic& quadratic, const std::vector<DoubleDouble>& w,
                                      const Residual& residual, Index t);

// A bound on F - F* that needs no factor, if every column is penalised: the duality gap with the residual as dual
// point, sum_j g_j^2 / (2 W T_jj) + 1/2 (mean r)^2. It is quadratic in the error like the distance itself, so it is
// just as small.
Optimality measure_gap(const Quadratic& quadratic, const std::vector<double>& w, const std::vector<double>& b,
                       const Residual& residual, bool merged);

// The residual that a pass over the rows would find, computed from the statistics alone.
Residual residual_from(const Quadratic& quadratic, std::shared_ptr<const Predictor> predictor);

} // namespace recta
