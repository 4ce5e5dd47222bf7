// The proof of clusters by a kernel, from the numbers of the model and a fresh pass over the rows: every row is as near
// to the mean of its own cluster as to any other, up to what rounding can do, so that Lloyd's steps would move nothing.
// That is a fixed point. It is no proof that other clusters do not cost less.
//
//   |phi(x) - m_c|^2 = k(x, x) - 2 <phi(x), m_c> + |m_c|^2,   <phi(x), m_c> = sum_(c_j = c) s_j k(x, x_j) / W_c
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "kernel/points.hpp"

#include <recta/certificate.hpp>
#include <recta/trace.hpp>

#include <span>

namespace recta::kernel_kmeans {

struct Claimed {
  const kernel::Kernel& kernel;
  const kernel::Points& points;   // the rows, as the model holds them
  std::span<const Index> rows;    // their numbers, ascending from 0
  std::span<const Index> of_row;  // the cluster of each
  std::span<const double> share;  // s_j / W_c of each
  std::span<const double> square; // |m_c|^2
  Stop stop;                      // of the search
  bool ended_early = false;       // it was stopped
};

struct Judged {
  Certificate certificate;
  double weight = 0; // of all rows
  Index count = 0;
  std::vector<double> cluster_weight, cluster_cost; // cost: its part of F
};

Result<Judged> certify(const Claimed& claimed, RowSource& source, Pool& pool, const Watch& watch);

// Figures that a file states beside its numbers, and what its parameters ask for.
struct Stated {
  const kernel::Settings &kernel, &kernel_asked;
  double clusters_asked, objective;
  std::span<const double> weight, cost; // of each cluster
};

void compare(const Stated& stated, Judged& judged);

} // namespace recta::kernel_kmeans
