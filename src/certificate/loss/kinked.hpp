// The proof for losses of straight lines (quantile, epsilon-insensitive), whose dual variables are free at the kinks.
//
// Away from the kinks d is the slope of the line. The rows at a kink are given theirs together: numbers between the two
// slopes with which the constraints are met (bounded.hpp). What is left of the constraints is e; with M the Gram of all
// rows, D = diag(M)^-1/2 and lambda below the least eigenvalue of D M D, the move by a_i'M^-1 e meets them exactly, and
// is at most L |D e| / lambda, L the largest |D a_i|. For the moved d to stay between the slopes all are first made
// smaller by a factor 1 - eta, which costs eta times the loss, since every term is convex in d and 0 is always allowed.
#pragma once

#include "certificate/loss/certify.hpp"

namespace recta {

Result<LossChecked> certify_kinked(const LossClaimed& claimed, RowSource& rows, Pool& pool, const Watch& watch);

} // namespace recta
