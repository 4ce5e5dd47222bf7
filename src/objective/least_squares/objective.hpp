// The objective that least squares and ridge minimise, over p features and k targets at once:
//
//   F(w, b) = sum_i s_i (y_i - o_i - b - <w, x_i>)^2 / 2 + (lambda2 / 2) sum_j u_j w_j^2,   s_i = v_i / sum v
//
// summed over targets. The intercept is never penalised. With `standardise` the features are (x - mean) / sd, so the
// penalty is on sd_j w_j; without an intercept the fit then passes through the means: b = -<w, mean>.
#pragma once

#include <recta/error.hpp>

#include <vector>

namespace recta {

struct LeastSquaresObjective {
  double lambda2 = 0;
  std::vector<double> factors = {}; // u_j >= 0; empty: all one
  bool intercept = true;
  bool standardise = false;

  bool centred() const { return intercept || standardise; } // features enter about their means
  bool penalised() const { return lambda2 > 0; }
  double factor(Index j) const { return factors.empty() ? 1 : factors[j]; }
};

} // namespace recta
