// One centroid per class: the mean, or the median of every column, moved towards the mean of all rows on request.
//
// Shrunken centroids (Tibshirani, Hastie, Narasimhan, Chu 2002): with c_k the centroid, c the mean of all rows, n = W,
//   s_j^2 = 1/(n - K) sum_i v_i (x_ij - c_(y_i)j)^2,   m_k = sqrt(1/n_k - 1/n),   d_kj = (c_kj - c_j) / (m_k (s_j +
//   s_0)),
// s_0 the median of the s_j: c_kj <- c_j + m_k (s_j + s_0) sign(d_kj) max(0, |d_kj| - threshold).
// A column with s_j + s_0 = 0 is left as it is.
#pragma once

#include <recta/error.hpp>

#include <vector>

namespace recta::nearest_centroid {

struct Spread {
  std::vector<double> middle;    // c
  std::vector<double> deviation; // s_j; NaN if there are no more rows than classes
};

// `mean`: of each class; `scatter`: sum v (x - mean)^2 of each class; both classes x columns, as the centroids.
Spread spread_of(const std::vector<double>& weight, const std::vector<double>& mean, const std::vector<double>& scatter,
                 const std::vector<double>& centroid);

std::vector<double> shrunken(const std::vector<double>& centroid, const std::vector<double>& weight,
                             const Spread& spread, double threshold);

} // namespace recta::nearest_centroid
