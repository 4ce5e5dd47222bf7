// The nearest class median: every class has the median of each of its columns, and a row belongs to the class whose
// medians are nearest. With m_k the medians of class k,
//
//   argmin_k |x - m_k|^2 = argmax_k <m_k, x> - |m_k|^2 / 2
//
// so the scores are linear: w_k = m_k, b_k = -|m_k|^2 / 2.
//
// What is claimed: every w_kj is a median, which minimises F(m) = 1/W sum_i s_i sum_j |x_ij - m_(y_i)j|.
#pragma once

#include "driver/first_pass.hpp"

#include <vector>

namespace recta::family::nearest_median {

struct Medians {
  std::vector<std::vector<double>> of_class; // classes x columns
  double score_constant(std::size_t k) const;
};

// Reads the rows once and holds them.
Result<Medians> find(const Schema& schema, const Rows& rows);

} // namespace recta::family::nearest_median
