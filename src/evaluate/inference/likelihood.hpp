// Standard errors of a likelihood at its maximum: with H = sum v l'' (1, x)(1, x)', the curvature there,
//
//   se(w_j) = sqrt((H^-1)_jj),  z = w_j / se,  p = P(|Z| > |z|),  w_j -+ q se,  q the normal quantile of the confidence
//   ratio = 2 (ln L - ln L_null) against chi squared with as many degrees of freedom as there are independent columns
//
// A penalised coefficient has none: its bias is not in the formula.
#pragma once

#include "stats/gram/gram.hpp"

#include <recta/model.hpp>

namespace recta {

// `curvature`: the rows with weights v l''. Fills in what the coefficients and `classes` of the summary lack, of a
// model with one target.
void add_likelihood_inference(const Gram& curvature, const std::vector<char>& constant, Pool& pool,
                              LinearSummary& summary);

} // namespace recta
