// How far a point is from the minimum of a quadratic, measured by a factor of its Hessian.
#pragma once

#include "certificate/least_squares/quadratic.hpp"
#include "stats/residual/residual.hpp"

namespace recta {

struct Optimality {
  double objective = 0;     // F
  double suboptimality = 0; // F - F*
  double slack = 0;         // bound on the rounding in it
  double coefficient_error = 0;
  double backward_error = 0;
  Index rank = 0;
};

// w is p x k by column; residual is that of (w, b), with the gradient about `centre`.
Optimality measure(const Quadratic& quadratic, const std::vector<double>& w, const std::vector<double>& b,
                   const Residual& residual, Pool& pool);

// sum v r (x - mean) - T w of target t, from a pass whose gradient is about the rounded means.
std::vector<DoubleDouble> gradient_of(const Quadratic& quadratic, const std::vector<DoubleDouble>& w,
                                      const Residual& residual, Index t);

// A bound on F - F* that needs no factor, where every column is penalised: the duality gap with the residual as dual
// point, sum_j g_j^2 / (2 W T_jj) + 1/2 (mean r)^2. Quadratic in the error like the distance itself, so just as small.
Optimality measure_gap(const Quadratic& quadratic, const std::vector<double>& w, const Residual& residual);

// What a pass over the rows would have found, from the statistics alone.
Residual residual_from(const Quadratic& quadratic, std::shared_ptr<const Predictor> predictor);

} // namespace recta
