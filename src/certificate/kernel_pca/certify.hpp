// The proof of kernel principal components, from the numbers of the model and the rows themselves.
//
// With shares s of the weights, A = Q M Q, M_ij = sqrt(s_i s_j) k(x_i, x_j), Q = I - q q', q_i = sqrt(s_i), a model
// claims variances v_j and coefficients a_ij, that is vectors u_ij = sqrt(v_j / s_i) a_ij. Checked are
//
//   |A u_j - v_j u_j| and |U'U - I|: each v_j is that near to an eigenvalue, with its vector;
//   that no direction beside them has more variance: mu I - A + sum_j v_j u_j u_j' has a Cholesky factor for mu just
//   above the least v_j. Of more rows than kMostFactored the sum of squares of the other eigenvalues, |A|^2 - sum
//   v_j^2, bounds the largest of them; what it cannot exclude is said.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "kernel/points.hpp"

#include <recta/trace.hpp>

namespace recta::kernel_pca {

struct Claimed {
  const kernel::Kernel& kernel;
  const kernel::Points& points; // the rows, as the model holds them
  std::vector<Index> rows;      // their numbers, ascending from 0
  std::vector<double> alpha;    // points x components, one component after the other
  std::vector<double> b, variance;
  double total = 0; // the trace of A
};

struct Proof {
  double weight = 0;
  Index count = 0;
  bool same_rows = true;
  double residual = 0;  // the largest, over the largest variance
  double slack = 0;     // what rounding can have done to it
  double total = 0;     // the trace of A, as the rows give it
  double other = 0;     // no direction beside those of the model has more variance; infinite: not shown
  double constants = 0; // the largest error of b and of the trace, over their size
};

inline constexpr Index kMostFactored = 4000;

Result<Proof> certify(const Claimed& claimed, RowSource& source, Pool& pool, const Watch& watch);

} // namespace recta::kernel_pca
