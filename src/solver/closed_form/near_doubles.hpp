// Rounds an answer in double-double to doubles if its nearest doubles are not good enough: with nearly dependent
// columns (powers of high degree), rounding one coefficient changes the fit a lot, which the other coefficients can
// compensate. From the last column to the first, each coefficient is rounded at its best value given the previous
// roundings (Babai 1986, the nearest plane): with H = R'R and x the doubles for w,
//
//   |R (x - w)|^2 = sum_j (R_jj (x_j - best_j))^2,   |x_j - best_j| <= ulp(x_j) / 2,
//
// where R_jj is the remainder of column j after those before it, not the whole column.
#pragma once

#include "solver/closed_form/answer.hpp"
#include "solver/closed_form/normal.hpp"

namespace recta {

// `r`: rows of R, those of the basic columns, in the units of w; rank x p by column.
std::vector<DoubleDouble> near_doubles(const std::vector<double>& r, const std::vector<Index>& basic,
                                       const std::vector<DoubleDouble>& w);
// One target: p numbers.
std::vector<DoubleDouble> near_doubles(const Cholesky<DoubleDouble>& factor, const std::vector<DoubleDouble>& w);

// Leaves w as it is if its nearest doubles reach the tolerance. Otherwise it takes the doubles of least objective, as
// measured on the rows themselves, among those for w, for the answer over independent columns alone, for answers held
// back by penalties near rounding, and zero. Returns whether w has changed; if interrupted, it has not.
Result<bool> take_near_doubles(const LeastSquaresProblem& problem, const Quadratic& quadratic,
                               const NormalSolver<DoubleDouble>& normal, const RowReader& reader, Weights& w,
                               LeastSquaresSolution& solution);

} // namespace recta
