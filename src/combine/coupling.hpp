// Probabilities of K classes from those of all pairs (Wu, Lin and Weng 2004, their second method): the p that minimises
// sum_{k<l} (r_lk p_k - r_kl p_l)^2 with sum p = 1, where r_kl is the probability of k among k and l.
//
// The minimum is the solution of the bordered system [Q e; e' 0] [p; b] = [0; 1], Q_kk = sum_{l != k} r_lk^2 and Q_kl =
// -r_lk r_kl, found directly by elimination with pivots.
#pragma once

#include <recta/error.hpp>

namespace recta::combine {

// first: r_kl of every pair k < l, in the order of pairs. out: one probability per class, none negative.
void couple(Index classes, const double* first, double* out);

} // namespace recta::combine
