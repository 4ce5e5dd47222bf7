// The proof of a mean loss with a convex penalty, from the weights and fresh passes over the rows. Nothing here knows
// how the weights were found.
//
// With shares s_i of the weights and any d_i in the domain of the loss's conjugate for which sum_i s_i d_i = 0 (without
// an intercept, any), u = sum_i s_i d_i x_i,
//
//   F(w, b) - F* <= sum_i s_i (loss(y_i, z_i) + conjugate(y_i, d_i) + d_i z_i) + (penalty(w) + conjugate(u) - <u, w>)
//
// by Fenchel and Young. Taken are the d_i = -loss'(y_i, z_i), the larger of the sums of positive and of negative ones
// made as small as the other, and all made smaller until the penalty's conjugate is finite at u. What rounding can have
// done is bounded and added as slack: z within `off`, u likewise, and what the d_i lack of balance given to one row.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "loss/row_loss.hpp"
#include "penalty/penalty.hpp"

#include <recta/certificate.hpp>
#include <recta/trace.hpp>

namespace recta::penalised {

struct Claimed {
  const loss::RowLoss& loss;
  const penalty::Penalty& penalty;
  std::vector<double> w;
  double b = 0;
  bool intercept = true;
  double tolerance = 1e-10;
};

struct Checked {
  Certificate certificate;
  double mean_loss = 0, null = 0; // null: at w = 0 with the best intercept
  double weight = 0, right = 0,
         squares = 0; // right: weight of rows whose score has the sign of the label; squares: sum
  double spread = 0;  // of (y - z)^2, and of y about its mean, or about 0 without an intercept
  Index rows = 0;
};

Result<Checked> certify(const Claimed& claimed, RowSource& source, const Watch& watch);

} // namespace recta::penalised
