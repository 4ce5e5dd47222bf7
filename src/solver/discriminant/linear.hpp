// Linear discriminants: the scores of Gaussian classes with one covariance, and the directions that separate them.
//
//   s_k(x) = <w_k, x> + b_k,   w_k = S^+ (m_k - m),   b_k = -<w_k, m_k + m> / 2 + log P(k),   m = sum_k P(k) m_k
//
// s_k differs from log P(k, x) by a number that is the same for all classes. Directions d with d'Sd = 1 are those of
// the largest ratio of the variance between the classes to that inside them, sum_k P(k) (d'(m_k - m))^2 (Fisher 1936,
// Rao 1948).
#pragma once

#include "solver/discriminant/whiten.hpp"

namespace recta::discriminant {

struct LinearScores {
  std::vector<double> w, b; // classes x columns, classes
};
// `covariance`: for one step of refinement, if it has full rank.
LinearScores linear_scores(const Whitening& whitening, const double* covariance, const std::vector<double>& mean,
                           const std::vector<double>& prior);

struct Directions {
  std::vector<double> d;     // directions x columns; the entry largest in units of its column is positive
  std::vector<double> ratio; // Fisher's, descending
};
// In coordinates in which S is the identity the weighted means sqrt(P(k)) T'(m_k - m) have singular vectors v of the
// values s; a direction is sum_k sqrt(P(k)) v_k w_k / s, from the weights `w` of the scores, which were refined.
Directions separating_directions(const Whitening& whitening, const double* covariance, const std::vector<double>& mean,
                                 const std::vector<double>& prior, const std::vector<double>& w);

std::vector<double> mean_of_classes(const std::vector<double>& mean, const std::vector<double>& prior);

} // namespace recta::discriminant
