// The proof of a regression with a loss of its own, from the rows alone. Nothing here knows which solver made the
// answer.
//
// For every d in the domain of the conjugate with sum_i s_i d_i = 0 (if there is an intercept), and g = X'Sd,
//
//   F(w, b) - F* <= sum_i s_i FY(y_i, z_i, d_i) + sum_j [P_j(w_j) + P_j*(g_j) - g_j w_j]        (Fenchel and Young)
//
// with FY = loss + conjugate + d z >= 0: a sum of terms that are not negative. P_j* is g^2 / (2 lambda2) with a penalty
// of squares, and without one zero for g_j = 0 and infinite for all else. d is -loss', moved by Newton's step, d_i -=
// c_i a_i'q with c = loss'', a = (1, x), so that it meets these constraints; the gap is then quadratic in the error.
//
// Numbers meet them to rounding only. Let e be what is left, M = sum_i v_i c_i a_i a_i', D = diag(M)^-1/2 and 0 <
// lambda <= the least eigenvalue of D M D. The exact move by c_i a_i'M^-1 e meets them exactly, and is at most c_i |D
// a_i| |D e| / lambda in row i. What the terms can grow by such a move is computed row by row and added as slack;
// lambda is held against the rounding of M by a factorisation that succeeds (Rump 2006). So the bound holds for a real
// vector d that exists, though it is never written down.
//
// With a penalty on absolute values P_j* is (|g_j| - lambda1)_+^2 / (2 lambda2), and the step leads to g_j = lambda2
// w_j + lambda1 sign(w_j) over the coefficients in use. Without squares it is zero for |g_j| <= lambda1 and infinite
// beyond: d is scaled by the largest kappa <= 1 that meets all of them, and every term of the gap is convex in d, so it
// is at most kappa times what it was, and 1 - kappa times the loss.
//
// If no row is curved there is no such step: d is at the ends of its domain in every row. Under squares on every
// column the sum of d alone must be met, by a scale below one and the same move of every row.
//
// A fitted scale s adds the constraint sum_i s_i d_i^2 <= 1, met by scaling d, and s (1 - sum_i s_i d_i^2) / 2 to the
// gap. At s = 0 the loss is epsilon |r|, made of straight lines (kinked.hpp), under the same constraint. d = 0 is
// always feasible: the bound is never worse than F itself.
#pragma once

#include "objective/loss/facts.hpp"

#include <recta/certificate.hpp>

#include <functional>

namespace recta {

struct Basis;
struct Gram;

struct LossClaimed {
  LossObjective objective = {};
  const LossFacts* facts = nullptr; // of the same rows
  std::vector<double> w = {};
  double b = 0, scale = 1;
  double tolerance = 1e-10; // of F - F*, in units of the null objective
  Stop stop = Stop::tolerance_reached;
  bool stopped_early = false;               // by the caller: an answer that falls short is then no refutation
  double patience = 0.08;                   // seconds for the gap of an answer that was stopped; then F* >= 0 is all
  bool gave_up = false;                     // the solver itself says that it came no nearer: no refutation either
  Index passes = 0;                         // over the rows before this check
  std::vector<std::string> conditions = {}; // known already
  bool without_gram = false;                // too many columns for their products; see wide.hpp
  std::function<std::string(Index)> feature = {}; // names of columns for the conditions; empty: by number
};

struct LossChecked {
  Certificate certificate;
  double mean_loss = 0;     // sum s loss, without the penalty
  double squares = 0;       // sum v (y - mean of the prediction)^2
  double right = 0;         // labels: sum v of the rows predicted right
  Index rows = 0, rank = 0; // rank: of the columns, if the loss is curved; without a Gram those in use
  std::shared_ptr<const Gram> curvature = {}; // at the answer, rows weighted by v loss''; of curved losses, with a Gram
  std::shared_ptr<const Basis> basis = {};    // the basis that the curvature is in; null: the columns as they are
};

// `gram` is not used: the curvature of the loss is not that of squares.
Result<LossChecked> certify(const LossClaimed& claimed, const Gram* gram, RowSource* rows, Pool& pool,
                            const Watch& watch = {});

} // namespace recta
