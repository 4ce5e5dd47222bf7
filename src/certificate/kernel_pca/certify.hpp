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

#include <recta/certificate.hpp>
#include <recta/trace.hpp>

#include <span>

namespace recta::kernel_pca {

struct Claimed {
  const kernel::Kernel& kernel;
  const kernel::Points& points;  // the rows, as the model holds them
  std::span<const Index> rows;   // their numbers, ascending from 0
  std::span<const double> alpha; // points x components, one component after the other
  std::span<const double> b, variance;
  double total = 0;     // the trace of A
  double tolerance = 0; // in units of the largest variance
};

struct Judged {
  Certificate certificate;
  double weight = 0; // of all rows
  Index count = 0;
};

inline constexpr Index kMostFactored = 4000;

Result<Judged> certify(const Claimed& claimed, RowSource& source, Pool& pool, const Watch& watch);

// Figures that a file states beside its numbers, and what its parameters ask for. components: how many, or the share of
// the variance that they carry.
struct Stated {
  const kernel::Settings &kernel, &kernel_asked;
  double components;
};

void compare(const Stated& stated, const Claimed& claimed, Judged& judged);

} // namespace recta::kernel_pca
