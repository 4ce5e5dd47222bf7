// The mean squared errors on rows left out one by one, from the coefficients of kernel ridge regression and the rows
// alone. With D = S^1/2 of the shares and A = D K D + lambda I, the residual of row i without row i is
//
//   alpha_i / G_ii,   G = D A^-1 D - c c' / sum(c),   c = D A^-1 D 1,
//
// and without an intercept G = D A^-1 D. If A has no Cholesky factor, by rounding or by its kernel, eigenvectors give
// its inverse; with an intercept they are those of Q D K D Q, Q = I - q q', q_i = sqrt(s_i), and G = D A^-1 D - s s' /
// lambda.
#pragma once

#include "base/pool.hpp"
#include "kernel/points.hpp"

#include <span>
#include <vector>

namespace recta::kernel_ridge {

struct LeftOut {
  const kernel::Kernel& kernel;
  const kernel::Points& points;
  std::span<const double> share; // of the weight of all points
  double lambda = 1;
  bool intercept = true;
};

std::vector<double> left_out_divisors(const LeftOut& problem, Pool& pool); // G_ii

} // namespace recta::kernel_ridge
