// Bounds on the length of a step. With c the loss's curvature, x' = (x, 1) if there is an intercept and s_i = v_i / sum
// v:
//
//   all rows        L = c lambda_max(sum_i s_i x_i' x_i'') + lambda2            F falls for every rate below 2 / L
//   a single row    L_max = max_i c f_i |x_i'|^2 + lambda2                      f_i the factor of the row's steps
//   m rows of n     L(m) = (n (m - 1) L + (n - m) L_max) / (m (n - 1))          (Gower and others 2019)
//
// For the squared loss of rows of weight one, 2 / (n L) is 2 / lambda_max(X'X): the rate below which w <- w + a X'(y -
// Xw) converges from every start, and above which it does from almost none.
#pragma once

#include "stats/gram/gram.hpp"
#include "stats/row_reader.hpp"

namespace recta {

struct DescentCurvature {
  double largest = 0;      // lambda_max of the second moments
  double smallest = 0;     // their least non-zero eigenvalue; 0: not known
  double row = 0;          // max_i |x_i'|^2, times v_i if it is not whole: for steps that repeat whole weights
  double weighted_row = 0; // max_i v_i |x_i'|^2
  double weight = 0;       // sum v
  Index rows = 0;          // of positive weight
  Index visits = 0;        // presented in a pass: a row of whole weight k counts k times
};

// Eigenvalues of the rows' second moments: from the Gram up to kExactSpectrum columns, otherwise by 30 steps of power
// iteration over the rows plus a tenth for safety. They do not include c and lambda2. `gram` may be in other units than
// the rows: `scale` holds the factors of its columns (empty: none) and `centred` says whether their means were
// subtracted.
struct GramUnits {
  std::vector<double> scale = {};
  bool centred = false;
};
Result<DescentCurvature> measure_curvature(const RowReader& reader, const Gram* gram, const GramUnits& units,
                                           bool intercept, Index& passes);

} // namespace recta
