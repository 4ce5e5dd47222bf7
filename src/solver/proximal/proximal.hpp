// A mean loss with any convex penalty, by accelerated proximal gradient steps (Beck and Teboulle 2009) that start anew
// where they would turn back (O'Donoghue and Candes 2015):
//
//   F(w, b) = sum_i s_i loss(y_i, <w, x_i> + b) + penalty(w),   sum_i s_i = 1.
//
// With few columns the loss is replaced by its parabola around the point, of p x p numbers, on which the steps are
// cheap, and the least point of that is where the next parabola is made (Lee, Sun and Saunders 2014). The intercept is
// the best one for the weights at every point, so that the slopes of the rows are a dual point but for their size.
// Steps end once the duality gap is within the tolerance.
#pragma once

#include "objective/penalised/mean_loss.hpp"
#include "penalty/penalty.hpp"
#include "solver/svm/linear_rows.hpp"

namespace recta::penalised {

struct ProximalProblem {
  const Targets& targets;
  const svm::LinearRows& rows;
  const penalty::Penalty& penalty;
  bool intercept = true;
};

struct ProximalSettings {
  double tolerance = 0; // of the gap
  Index steps = 100000;
};

struct ProximalSolution {
  std::vector<double> w;
  double b = 0; // for rows about their centre, if they have one
  Index steps = 0, parabolas = 0;
  double gap = 0;
  bool interrupted = false;
};

ProximalSolution solve_proximal(const ProximalProblem& problem, const ProximalSettings& settings, Pool& pool);

} // namespace recta::penalised
