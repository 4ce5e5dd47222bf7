// Kernel ridge regression in closed form. With shares s_i = v_i / W of the weights, the answer of
//
//   min  1/2 sum_i s_i (y_i - f(x_i))^2 + (lambda/2) |w|^2,   f(x) = <w, phi(x)> + b
//
// is w = sum_i alpha_i phi(x_i) with (K + lambda S^-1) alpha = y - b and sum alpha = 0 (without an intercept, b = 0 and
// no such sum). In the units D = S^1/2 the matrix D K D + lambda I has no eigenvalue below lambda, whatever the
// weights: one Cholesky factorisation, n^3 / 3, over the pool. If rounding or an indefinite kernel leaves it without a
// factor, its eigenvectors are taken instead (decomposition.hpp).
//
// A row left out (the strength beside the summed loss, lambda W, stays as it is) has the residual alpha_i / C_ii, C
// being the inverse of the bordered matrix: C = A^-1 - A^-1 1 1'A^-1 / (1'A^-1 1).
#pragma once

#include "base/pool.hpp"
#include "kernel/points.hpp"

#include <vector>

namespace recta::kernel_ridge {

struct Problem {
  const kernel::Kernel& kernel;
  const kernel::Points& points;
  std::vector<double> share;  // of every point, positive, 1 in sum
  std::vector<double> target; // points x targets, one target after the other
  double lambda = 1;
  bool intercept = true;

  Index rows() const { return points.count(); }
  Index targets() const;
};

struct Solution {
  std::vector<double> alpha;    // points x targets, one target after the other
  std::vector<double> b;        // one per target
  std::vector<double> left_out; // residuals of rows left out, as alpha; empty: not asked for
  bool factored = true;         // false: by eigenvectors
};

Solution solve(const Problem& problem, bool leave_one_out, Pool& pool);

} // namespace recta::kernel_ridge
