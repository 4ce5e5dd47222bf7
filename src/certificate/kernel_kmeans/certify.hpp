// The proof of clusters by a kernel, from the numbers of the model and a fresh pass over the rows: every row is as near
// to the mean of its own cluster as to any other, up to what rounding can do, so that Lloyd's steps would move nothing.
// That is a fixed point. It is no proof that other clusters do not cost less.
//
//   |phi(x) - m_c|^2 = k(x, x) - 2 <phi(x), m_c> + |m_c|^2,   <phi(x), m_c> = sum_(c_j = c) s_j k(x, x_j) / W_c
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "kernel/points.hpp"

#include <recta/trace.hpp>

namespace recta::kernel_kmeans {

struct Claimed {
  const kernel::Kernel& kernel;
  const kernel::Points& points; // the rows, as the model holds them
  std::vector<Index> rows;      // their numbers, ascending from 0
  std::vector<Index> of_row;    // the cluster of each
  std::vector<double> share;    // s_j / W_c of each
  std::vector<double> square;   // |m_c|^2
};

struct Proof {
  double weight = 0;
  Index count = 0;
  bool same_rows = true;
  double cost = 0, null = 0;      // F with one mean for each cluster, and with one for all
  double excess = 0;              // the most by which a row is nearer to another mean, beyond rounding
  double slack = 0;               // what rounding can do to a distance
  double shares = 0, squares = 0; // the largest errors of those of the model, over their size
  std::vector<double> cluster_weight, cluster_cost;
};

Result<Proof> certify(const Claimed& claimed, RowSource& source, Pool& pool, const Watch& watch);

} // namespace recta::kernel_kmeans
