// Gradient descent on  F(w, b) = sum_i s_i loss(y_i, <w, x_i> + b + o_i) + (lambda2 / 2) |w|^2,  s_i = v_i / sum v,
// with every step on record if asked for. For softmax regression the point has all classes, (b_1, w_1, b_2, w_2, ...),
// and no intercept beside them.
#pragma once

#include "loss/row_loss.hpp"
#include "solver/gradient_descent/curvature.hpp"
#include "solver/gradient_descent/descent_loss.hpp"

#include <recta/stop.hpp>
#include <recta/trace.hpp>

namespace recta {

struct DescentProblem {
  DescentLoss loss = {};
  std::shared_ptr<const recta::loss::RowLoss> second_order = {}; // the same loss with its curvature, for Newton steps
  Index classes = 0; // of softmax regression, whose curvature alone is then that of `loss`; 0: of the loss itself
  double lambda2 = 0;
  bool intercept = true;
  Index target = 0;
  DescentSettings settings = {};
  DescentCurvature curvature = {};
  Index record = 0; // one step in this many goes on record; 0: none
};

struct DescentOutcome {
  Point point; // the last, or the mean where that was asked for; the best that was looked at where it ended otherwise
  double cost = 0, gradient_norm = 0;
  double rate = 0;             // as used at the start
  double safe_rate = 0;        // below which a constant rate does not diverge; 0: none is known
  Index steps = 0, passes = 0; // passes over the rows, checks included
  Stop stop;
  bool interrupted = false, diverged = false;
  std::vector<TraceStep> trace; // the start first
};

// A constant rate below this does not diverge; half of it (a quarter or less if rows are random) is the default.
double safe_rate(const DescentProblem& problem);
double default_rate(const DescentProblem& problem);
Point start_of(const DescentSettings& settings, Index cols, bool intercept);
Point start_of(const DescentProblem& problem, Index cols);

// `held` may be null for rows that are not kept in memory: single-row steps then go through them in order.
Result<DescentOutcome> descend(const DescentProblem& problem, RowSource& rows, HeldRows* held, Pool& pool,
                               const Watch& watch);

} // namespace recta
