// Newton's method for losses with curvature: every step is one pass over the rows, which gathers the loss, its gradient
// and the Gram of its curvatures, and one factorisation. Steps that do not lower the objective are shortened.
//
// If the loss is straight (Huber's, far away), rows have no curvature: a share of it is taken from parabolas above the
// loss, as iteratively reweighted least squares would, and falls to zero as full steps succeed. If a scale is fitted
// too, it is one more unknown, whose column in the Gram is the slope of the loss (stats/curvature). Without a penalty,
// nearly dependent columns are told apart in a basis (in_basis.hpp). The bits are the same at any number of threads: a
// step is a sum over blocks and a factor.
#pragma once

#include "objective/loss/facts.hpp"

#include <recta/stop.hpp>

namespace recta {

struct Basis;

struct NewtonProblem {
  LossObjective objective; // of a curved loss, without lambda1
  const LossFacts* facts = nullptr;
  double tolerance = 1e-10;       // of F - F*, in units of the null objective
  std::vector<double> start = {}; // with p x p sums: weights, then the intercept; empty: the best constant
  const Basis* basis = nullptr;   // the basis of the rows, with p x p sums; columns left out of it stay at zero

  // The gap at which a solver without a last exact step may stop. At the usual tolerance the coefficients should have
  // digits as well as F, and squares leave them an error of the root of the gap.
  double goal() const {
    const double digits = tolerance > 1e-10 ? 0.25 : objective.lambda2 > 0 ? 1e-6 : 1e-3;
    return digits * tolerance * facts->null_objective;
  }
  // The last Newton steps are followed to the end for the digits of the coefficients, and of losses of other rows,
  // which are the root of F's. This is not done if few digits are asked for.
  bool loose() const { return tolerance > 1e-8; }
  bool reached(double gap) const { return gap <= tolerance * facts->null_objective / 4; }
};

struct NewtonSolution {
  std::vector<double> w;
  double b = 0, scale = 1;
  Index steps = 0, passes = 0;
  Stop stop = Stop::tolerance_reached;
  bool interrupted = false, gave_up = false;
  bool approximate = false; // near enough by a rough curvature (approach.hpp): exact steps would come nearer
  // If not empty, the objective falls for ever along this direction of (w, b), and the answer is the point where that
  // ceased to matter.
  std::vector<double> runaway;
};

// If interrupted before there is an answer, it returns an error of that name; afterwards the best answer so far.
Result<NewtonSolution> solve_by_newton(const NewtonProblem& problem, RowSource& rows, Pool& pool,
                                       const Watch& watch = {});

} // namespace recta
