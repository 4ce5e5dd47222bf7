// A primal-dual interior point method for piecewise linear losses, such as those of quantiles.
//
// Every such loss is a sum of pieces, max over low <= d <= high of d (r - shift), r = y - z (loss/row_loss.hpp), and so
// is lambda1 |w_j|, with a row of its own that is zero except for column j. With r - shift = r+ - r-, p = high - d and
// m = d - low the optimum has
//
//   A'Sd = lambda2 U w,   p r+ = 0,   m r- = 0,   all of them >= 0
//
// and steps of Newton's method towards p r+ = m r- = mu, mu falling to zero, each cost one Gram of the rows, weighted
// by 1 / (r+ / p + r- / m), and one factorisation (Portnoy and Koenker 1997; predictor and corrector of Mehrotra 1992).
// The method keeps a few numbers per row and passes over the rows three times per step. If the optimum is a vertex, as
// many rows as there are coefficients are met exactly: their weights tell which, the equations are solved in
// double-double, and the answer is right to the last digits.
//
// Without a penalty, columns that are nearly combinations of others are replaced by their remainders (stats/basis), the
// method is run on these, and the coefficients are transformed back and rounded with care (solver/newton/in_basis).
#pragma once

#include "objective/loss/facts.hpp"

#include <recta/stop.hpp>

namespace recta {

struct InteriorProblem {
  LossObjective objective; // of a loss of straight lines
  const LossFacts* facts = nullptr;
  double tolerance = 1e-10; // of F - F*, in units of the null objective
};

struct InteriorSolution {
  std::vector<double> w;
  double b = 0;
  Index steps = 0, passes = 0;
  Stop stop = Stop::tolerance_reached;
  bool interrupted = false, gave_up = false, vertex = false;
};

// If interrupted before there is an answer, it returns an error of that name; afterwards the best answer so far.
Result<InteriorSolution> solve_by_interior_point(const InteriorProblem& problem, RowSource& rows, Pool& pool,
                                                 const Watch& watch = {});

} // namespace recta
