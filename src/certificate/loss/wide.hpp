// The proof when there are too many columns for their products, for losses with curvature under a penalty on every
// column: two passes over the rows, O(n + p) memory.
//
// The only constraint that must be met exactly is that of the intercept, sum_i s_i d_i = 0: d = -loss' is moved by c_i
// q with q = sum v d / sum v c. What rounding leaves of it, e, is met by a further move of c_i e / sum v c, at most so
// much in row i; the columns notice it by no more than |e| sqrt(L sum v (x_j - m_j)^2 / sum v c), L the bound of the
// curvature. What the columns lack costs (g_j - lambda2 w_j)^2 / (2 lambda2), or a scale kappa of d if the penalty has
// no squares (certify.hpp).
#pragma once

#include "certificate/loss/certify.hpp"

namespace recta {

Result<LossChecked> certify_wide(const LossClaimed& claimed, RowSource& rows, Pool& pool, const Watch& watch);

} // namespace recta
