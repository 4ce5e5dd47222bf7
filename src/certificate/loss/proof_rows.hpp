// The rows as a check sees them: about a shift, and perhaps in a basis in which their columns are less alike. Every
// score is that of the rows as they are, except for `z_error`.
#pragma once

#include "certificate/loss/certify.hpp"
#include "objective/least_squares/optimality.hpp"
#include "stats/basis/basis.hpp"

#include <span>

namespace recta {

struct ProofRows {
  RowSource& rows;
  RowSource& plain;               // the same rows as they are
  Basis::Scores answer;           // of the rows seen
  double b_error = 0;             // of the constant of the answer, at most
  const Basis* basis = nullptr;   // null: none
  double z_error = 0;             // see DualPoint
  std::vector<double> error = {}; // sum v d u_j may be off by this times the root of sum v d^2
};

// `about`: the rows less the shift, `based`: these in the basis.
ProofRows rows_in_basis(const LossClaimed& claimed, std::span<const double> shift, DoubleDouble b, const Basis& basis,
                        RowSource& based, RowSource& plain);

// A column left out of a basis, written in the columns as they are; without factors if it is not left out.
DroppedColumn written_out(const Basis& basis, Index column);

// The means that belong to the Gram of rows in a basis: the intercept of the rows as they are is a constant less <m,
// v>.
std::vector<double> intercept_means(const Basis& basis, std::span<const double> shift, std::span<const double> mean);

} // namespace recta
