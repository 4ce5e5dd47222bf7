// The proof of kernel ridge regression, from the numbers of the model and a fresh pass over the rows. Nothing here
// knows how the coefficients were found.
//
// For every alpha and b, with z_i = (K alpha)_i + b, shares s_i of the weights and
//
//   e_i = y_i - z_i - lambda alpha_i / s_i,   m = lambda sum_i alpha_i,
//
// the dual point d_i = lambda alpha_i / s_i - m (without an intercept, without m) has sum_i s_i d_i = 0, and
//
//   F(w, b) - F* <= 1/2 sum_i s_i (e_i + m)^2 + m^2 / (2 lambda) max_i k(x_i, x_i)
//
// by Fenchel and Young. What rounding can have done to e (sums, products, the kernel's own error) is bounded row by row
// and added as slack.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "kernel/points.hpp"

#include <recta/trace.hpp>

namespace recta::kernel_ridge {

struct Claimed {
  const kernel::Kernel& kernel;
  const kernel::Points& points; // the rows with a coefficient, as the model holds them
  std::vector<Index> rows;      // their numbers, ascending from 0
  std::vector<double> alpha;    // points x targets, one target after the other
  std::vector<double> b;
  double lambda = 1;
  bool intercept = true;
  double rounding = 0; // the least eigenvalue of the kernel's matrix may be below zero by so much
};

struct Proof {
  double objective = 0, null = 0; // summed over the targets; null: at w = 0 with the best intercept
  double gap = 0, slack = 0;      // F - F* <= gap + slack
  double violation = 0; // the largest root of sum_i s_i e_i^2 over the targets, for kernels that are indefinite
  double weight = 0;
  Index count = 0;
  bool same_rows = true;                // the model's rows are those it says
  std::vector<double> mse, r2, squared; // of every target; squared: |w|^2
};

Result<Proof> certify(const Claimed& claimed, RowSource& source, Pool& pool, const Watch& watch);

} // namespace recta::kernel_ridge
