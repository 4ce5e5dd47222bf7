// The objective of a regression with a given loss:
//
//   F(w, b) = sum_i s_i loss(y_i, z_i) + lambda1 sum_j |w_j| + (lambda2 / 2) sum_j w_j^2,   z_i = <w, x_i> + b + o_i
//
// s_i = weight_i / sum weight. The intercept is never penalised. With `standardise` the penalties are on sd_j w_j. With
// `fitted_scale` (huber) the scale s of the residuals is fitted too (Huber 1981; Owen 2007):
//
//   F(w, b, s) = s / 2 + sum_i s_i s h((y_i - z_i) / s) + (lambda2 / 2) sum_j w_j^2,
//
// which is convex in w, b and s together. At s = 0 it is its limit, with epsilon |y_i - z_i| per row.
#pragma once

#include "loss/row_loss.hpp"

#include <string>

namespace recta {

struct LossObjective {
  std::string loss;     // its word
  double parameter = 0; // of the loss, if it has one
  bool fitted_scale = false;
  double lambda1 = 0, lambda2 = 0;
  bool intercept = true, standardise = false;
  bool firth = false; // logistic: minus log det I / (2 W), I the information of the likelihood

  bool log_odds() const; // whether it is minus the log-likelihood of two classes
  std::shared_ptr<const loss::RowLoss> at(double scale = 1) const { return loss::row_loss(loss, parameter, scale); }
};

} // namespace recta
