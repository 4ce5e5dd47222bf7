// The proof for losses of straight lines (quantile, epsilon-insensitive, huber if its scale is zero), whose dual
// variables are free at the kinks.
//
// Away from the kinks d is the slope of the line. The rows at a kink are given theirs together: numbers between the two
// slopes with which the constraints are met (bounded.hpp). What is left of the constraints is e; with M the Gram of all
// rows, D = diag(M)^-1/2 and lambda below the least eigenvalue of D M D, the move by a_i'M^-1 e meets them exactly, and
// is at most L |D e| / lambda, L the largest |D a_i|. For the moved d to stay between the slopes all are first made
// smaller by a factor 1 - eta, which costs eta times the loss, since every term is convex in d and 0 is always allowed.
//
// Columns under a penalty need not be met exactly: what they lack costs (g_j - P_j')^2 / (2 lambda2), or an eta. That
// is little where the column is small beside its penalty and much where it is large, so they are first left so, and met
// with the others if that was not enough: the bound is then the same in any units. A scale of zero asks for sum_i s_i
// d_i^2 <= 1, which is one more lower limit of eta.
//
// Rounding: d is a double and exact. A residual is off by what its score in double-double is (kink_sums.hpp), and a row
// costs no more than the difference of the slopes times that; elsewhere products and sums are off by u of themselves.
#pragma once

#include "certificate/loss/certify.hpp"

namespace recta {

// `hurried`: the watch is the patience of the caller who stopped the fit, and the best bound when it ends is the
// answer.
Result<LossChecked> certify_kinked(const LossClaimed& claimed, RowSource& rows, Pool& pool, const Watch& watch,
                                   bool hurried);

} // namespace recta
