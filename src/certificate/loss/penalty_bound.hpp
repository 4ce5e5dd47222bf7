// The terms that the penalties add to the gap of a dual point (the formulas are in certify.hpp), written so that
// nothing cancels.
#pragma once

#include <span>

namespace recta {

// F - F* <= gap + slack.
struct Bound {
  double gap = 0, slack = 0;
};

// One coefficient under lambda1 v_j |w| + lambda2 u_j w^2 / 2, where at least one factor is above zero.
struct PenaltyTerm {
  double w = 0, l1 = 0, l2 = 0;
  double short_of = 0; // g_j - l2 w - l1 sign(w), by the total weight
  double margin = 0;   // the possible effect on that of rounding and of moves of the dual point
};

// `bound` holds the part of the rows. If a term has no square, d is scaled by kappa <= 1 so that |g_j| <= l1.
void add_penalties(std::span<const PenaltyTerm> terms, double mean_loss, Bound& bound);

} // namespace recta
