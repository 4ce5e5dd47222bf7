// Doubles for an answer in double-double whose nearest doubles are not good enough: columns that nearly determine one
// another (powers of high degree) turn the rounding of one coefficient into a large change of the fit, which the other
// coefficients can take back. From the last column to the first, each coefficient is rounded where the roundings before
// it have moved the best one (Babai 1986, the nearest plane): with H = R'R and x the doubles for w,
//
//   |R (x - w)|^2 = sum_j (R_jj (x_j - best_j))^2,   |x_j - best_j| <= ulp(x_j) / 2,
//
// where R_jj is what is left of column j after those before it, not the whole column.
#pragma once

#include "solver/closed_form/answer.hpp"
#include "solver/closed_form/normal.hpp"

namespace recta {

// `r`: rows of R, those of the basic columns, in the units of w; rank x p by column.
std::vector<DoubleDouble> near_doubles(const std::vector<double>& r, const std::vector<Index>& basic,
                                       const std::vector<DoubleDouble>& w);
// One target: p numbers.
std::vector<DoubleDouble> near_doubles(const Cholesky<DoubleDouble>& factor, const std::vector<DoubleDouble>& w);

// Leaves w as it is where its nearest doubles reach the tolerance. Otherwise takes the doubles of least objective, as
// the rows themselves measure it, among those for w, for the answer over independent columns alone, for answers held
// back by penalties near rounding, and zero. Whether w is another answer now; interrupted: it is not.
Result<bool> take_near_doubles(const LeastSquaresProblem& problem, const Quadratic& quadratic,
                               const NormalSolver<DoubleDouble>& normal, RowSource& rows, Pool& pool,
                               const Watch& watch, Weights& w, LeastSquaresSolution& solution);

} // namespace recta
