// Standard errors of a likelihood at its maximum: with H = sum v l'' (1, x)(1, x)', the curvature there,
//
//   se(w_j) = sqrt((H^-1)_jj),  z = w_j / se,  p = P(|Z| > |z|),  w_j -+ q se,  q the normal quantile of the confidence
//   ratio = 2 (ln L - ln L_null) against chi squared with as many degrees of freedom as there are independent columns
//
// A penalised coefficient has none: its bias is not in the formula.
#pragma once

#include "stats/basis/basis.hpp"
#include "stats/gram/gram.hpp"

#include <recta/model.hpp>

namespace recta {

// `curvature`: the rows with weights v l'', in a basis or, if it is null, in the columns as they are. Fills in what the
// coefficients and `classes` of the summary lack, of a model with one target. Coefficients that columns left out as
// combinations of others leave open have no standard error.
void add_likelihood_inference(const Gram& curvature, const Basis* basis, const std::vector<char>& constant, Pool& pool,
                              LinearSummary& summary);

// Standard errors and tests from variances alone, of the coefficients that have one.
void add_errors_of(const std::vector<double>& variances, double intercept, LinearSummary& summary);

} // namespace recta
