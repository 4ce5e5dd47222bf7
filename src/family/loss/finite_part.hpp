// Classes that a plane separates except for rows that lie on it: what those rows determine.
//
// Along the plane's direction the rows beyond it come to be certain, and in the limit they tell nothing: the likelihood
// is that of the rows on the plane (Albert and Anderson 1984; Clarkson and Jennrich 1991). Coefficients that these rows
// determine are finite, and have the standard errors of a fit to these rows alone. The others have none: those along
// the direction, and those that the rows on the plane do not tell apart.
#pragma once

#include "family/loss/solve.hpp"

namespace recta {

struct FiniteVariances {
  std::vector<double> w = {}; // NaN if a coefficient has none; empty: none has
  double b = std::numeric_limits<double>::quiet_NaN();
  Index rows = 0; // on the plane; 0: no coefficient has a variance
};

// `direction`: that of the proof, the intercept last. Nothing if the rows on the plane have no finite maximum either,
// or if it was not proved.
Result<FiniteVariances> finite_variances(const std::vector<double>& direction, const LossObjective& objective,
                                         double tolerance, const TaskRows& task);

} // namespace recta
