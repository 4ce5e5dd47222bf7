// Clusters of rows in the space of a kernel's features: every row goes to the nearest mean, every mean to its rows,
// until no row moves (Lloyd 1957; by kernels Schoelkopf, Smola and Mueller 1998). Each step lowers the cost
//
//   F = sum_i s_i |phi(x_i) - m_(c_i)|^2,   m_c = sum_(c_i = c) s_i phi(x_i) / W_c.
//
// The first means are rows, drawn by their distance from those before (Arthur and Vassilvitskii 2007), from a seed;
// the best of several starts is kept, the first among equals. Rows are drawn, and clusters numbered, in an order that
// is given, so that the clusters need not depend on that of the rows.
#pragma once

#include "base/pool.hpp"

#include <vector>

namespace recta::kernel_kmeans {

struct ClusterSettings {
  Index clusters = 2, starts = 10;
  std::uint64_t seed = 0;
};

struct Clusters {
  std::vector<Index> of_row;
  double cost = 0;
  Index steps = 0, start = 0; // of the best start, and which it was, from 1
  bool interrupted = false;   // some rows may still want to move
};

// k: the whole matrix, rows x rows. `share`: of the weights, adding up to one. `order`: of the rows.
Clusters cluster(const std::vector<double>& k, const std::vector<double>& share, const std::vector<Index>& order,
                 const ClusterSettings& settings, Pool& pool);

} // namespace recta::kernel_kmeans
