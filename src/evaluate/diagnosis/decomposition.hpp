// Which coefficients share which weak direction of the columns (Belsley, Kuh and Welsch 1980, chapter 3).
//
// Columns, the constant one included if there is an intercept, are scaled to unit length, not centred; with the
// singular values mu_k and vectors v_k of the scaled matrix the condition index is mu_1 / mu_k, and the share of
// direction k in the variance of coefficient j is (v_jk / mu_k)^2 over its sum across k. An index above 30 with two
// shares above one half names a harmful dependency. Singular values are those of a triangle that was factored in
// double-double where the statistics are, so they are right down to 1e-16 of the largest; below, they are zero.
#pragma once

#include "objective/least_squares/objective.hpp"
#include "stats/gram/gram.hpp"

#include <recta/diagnosis.hpp>

namespace recta::diagnosis {

inline constexpr Index kDecomposed = 300; // columns

std::vector<ConditionIndex> decompose(const LeastSquaresObjective& objective, const Gram& gram);

// C_jj (C^-1)_jj = 1 / (1 - R_j^2), C the scatter as the model sees it: about the means if there is an intercept, so no
// constant column has to be added by hand. Infinity: a combination of others; NaN: constant.
std::vector<double> variance_inflation(const LeastSquaresObjective& objective, const Gram& gram, Pool& pool);

} // namespace recta::diagnosis
