// Tests of what least squares supposes of its residuals, each with a sentence a person can act on. Residuals are
// weighted, e = sqrt(v) r, if weights are precisions; if they are frequencies, every residual counts v times.
//
//   jarque-bera    N/6 (S^2 + (K - 3)^2 / 4), chi squared with 2                                  (1980)
//   omnibus        Z(S)^2 + Z(K)^2, chi squared with 2, Z normal to a close approximation
//                  (D'Agostino 1970 for the skewness, Anscombe and Glynn 1983 for the kurtosis)
//   durbin-watson  sum (e_i - e_{i-1})^2 / sum e_i^2, normal with its exact mean and variance    (row_facts.hpp)
//   breusch-pagan  N R^2 of the regression of e^2 on the features, chi squared with their rank  (Koenker 1981)
//   white          the same with squares and products of the features                          (White 1980)
#pragma once

#include "evaluate/diagnosis/influence.hpp"

namespace recta::diagnosis {

// e and how often each counts.
struct Residuals {
  std::vector<double> e, count;
  double counted = 0;
};
Residuals weighted_residuals(const TargetDiagnosis& rows, bool frequency);

void test_shape(const Residuals& residuals, TargetDiagnosis& out); // skewness, kurtosis, jarque-bera, omnibus
ResidualTest test_order(const Residuals& residuals, const Neighbours& neighbours, const Setting& setting);
// r2: of the regression of e^2 on `rank` columns; word: breusch-pagan or white.
ResidualTest test_spread(const std::string& word, double r2, double counted, Index rank);

} // namespace recta::diagnosis
