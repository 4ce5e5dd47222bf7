// The figures of a least-squares fit beyond its coefficients: sums of squares, likelihood, standard errors.
//
//   RSS = sum v r^2,  MSE = RSS / sum v,  R^2 = 1 - RSS / TSS       (TSS about the mean; about zero without intercept)
//   sigma^2 = RSS / f,  f = N - rank - (1 for the intercept)        N: rows, or sum v where weights are frequencies
//   se(w_j) = sigma sqrt((X'VX)^-1_jj),  t = w_j / se,  p = P(|t_f| > |t|),  w_j -+ t_f(confidence) se
//   F = ((TSS - RSS) / rank) / sigma^2 against F(rank, f)
//
// Log-likelihood. Weights that are precisions state the variances, v_j = 1/sigma_j^2, and nothing is left to estimate:
//   ln L = -1/2 sum [ln(2 pi sigma_j^2) + r_j^2 / sigma_j^2] = -1/2 [n ln(2 pi) - sum ln v + RSS].
// Without weights, and if weights are frequencies, one variance is unknown and ln L is at its maximum RSS / N:
//   ln L = -N/2 [ln(2 pi RSS / N) + 1].
// Standard errors use the estimated scale sigma in every case: with precisions it measures whether they were stated in
// the right unit. A penalised coefficient has none: its bias is not in the formula. f is then N less the trace of the
// matrix that maps y to the fit. A target that is constant (zero, without intercept) has no R^2: there is nothing to
// explain, so nothing is tested and no likelihood is given, which would be infinite.
#pragma once

#include "objective/least_squares/objective.hpp"
#include "solver/least_squares.hpp"
#include "stats/residual/residual.hpp"

#include <recta/model.hpp>

namespace recta {

struct InferenceOptions {
  std::vector<std::string> features = {}, targets = {}; // names
  WeightMeaning weights_are = WeightMeaning::precision;
  bool weighted = false; // the rows came with weights
  double confidence = 0.95;
  double lambda1 = 0;    // of a lasso or an elastic net, for the record
  bool selected = false; // the data chose which coefficients are not zero: no test holds for them
  bool grouped = false;  // in groups: how many are not zero is then not what the fit is free in
};

// Standard error sigma sqrt(variance), t, p and interval; width: the quantile of t.
void judge(Coefficient& coefficient, double variance, double sigma, double freedom, double width);

void withhold_tests(TargetFit& fit); // errors, tests and likelihood

// `residual` is that of the model's own numbers, as certify() found it.
LinearSummary summarise(const LeastSquaresObjective& objective, const LeastSquaresSolution& solution,
                        const Residual& residual, const InferenceOptions& options);

} // namespace recta
