// Covers most of the way to the optimum at a fraction of the cost of Newton steps if there are many rows: a Newton step
// multiplies all rows with each other, n p^2, and far from the optimum a rough curvature does as well (subsampled
// Newton: Byrd, Chin, Neveitt and Nocedal 2011).
//
// First comes Newton's method over some of the rows, whose optimum is as near to that of all rows as chance makes it.
// Then come steps over all rows, each one pass for the value and the gradient, n p: the curvature remains that of the
// sample at its optimum, corrected by the gradients seen since (BFGS, Nocedal and Wright 2006, algorithm 7.4).
//
// `start`: the point, for NewtonProblem. `near`: half the fall that the next quasi-Newton step would promise, which is
// F - F* except for the error of the curvature, is a tenth of a loose tolerance. Otherwise exact Newton steps continue
// from there; a step that does not lower the objective ends the approach.
#pragma once

#include "solver/newton/newton.hpp"

namespace recta {

struct Approach {
  std::vector<double> start;
  Index steps = 0, passes = 0;
  bool near = false, interrupted = false;

  NewtonSolution solution() const;
};

// Whether there are so many rows that it pays, and the curvature of the loss is bounded and nowhere zero, so that some
// rows represent that of all.
bool worth_approaching(const NewtonProblem& problem, const RowSource& rows);

Result<Approach> approach(const NewtonProblem& problem, RowSource& rows, Pool& pool, const Watch& watch);

} // namespace recta
