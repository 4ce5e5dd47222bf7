// The objective that the lasso and the elastic net minimise, for one target:
//
//   F(w, b) = sum_i s_i (y_i - o_i - b - <w, x_i>)^2 / 2 + lambda1 sum_j v_j |w_j| + (lambda2 / 2) sum_j u_j w_j^2
//
// over lower_j <= w_j <= upper_j, s_i = weight_i / sum weight. The intercept is never penalised. With `standardise`
// the features are (x - mean) / sd, so the penalties are on sd_j w_j; without an intercept the fit then passes through
// the means: b = -<w, mean>. Bounds are on w_j in the units of the data.
#pragma once

#include <recta/error.hpp>

#include <limits>
#include <vector>

namespace recta {

struct ElasticNetObjective {
  double lambda1 = 0, lambda2 = 0;
  std::vector<double> factors1 = {}, factors2 = {}; // v_j, u_j >= 0; empty: all one
  std::vector<double> lower = {}, upper = {};       // lower_j <= 0 <= upper_j; empty: none
  bool intercept = true;
  bool standardise = false;

  bool centred() const { return intercept || standardise; } // features enter about their means
  double factor1(Index j) const { return factors1.empty() ? 1 : factors1[static_cast<std::size_t>(j)]; }
  double factor2(Index j) const { return factors2.empty() ? 1 : factors2[static_cast<std::size_t>(j)]; }
  double least(Index j) const {
    return lower.empty() ? -std::numeric_limits<double>::infinity() : lower[static_cast<std::size_t>(j)];
  }
  double most(Index j) const {
    return upper.empty() ? std::numeric_limits<double>::infinity() : upper[static_cast<std::size_t>(j)];
  }
};

} // namespace recta
