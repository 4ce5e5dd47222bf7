// Softmax regression by Newton's method: H d = -gradient by conjugate gradients, two passes of matrix products each,
// with a preconditioner. At the beginning, where all probabilities are alike, that is one factor for all classes: the
// Hessian lies below (1/2) (I - 11'/K) x Xc'SXc + lambda2 I (Boehning 1992), so that of (1/2) Xc'SXc + lambda2 U serves
// every class, on what its weights have apart from their mean over the classes. Then it is the Hessian's own diagonal
// blocks, one factor a class, from eight rows a column or all of them, and gathered anew when conjugate gradients took
// long. Weights begin at zero and their sum over the classes stays there, which picks the centred one among answers
// that shift all classes alike.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "stats/gram/gram.hpp"

#include <recta/trace.hpp>

#include <string>

namespace recta {

struct SoftmaxProblem {
  Index classes = 0;
  double lambda2 = 0;
  std::vector<double> unit = {}; // u_j; 0: a column that is constant
  bool intercept = true;
  std::vector<double> start = {}; // of the intercepts
  double null_objective = 0, tolerance = 1e-10;
  const Gram* gram = nullptr; // of the rows
};

struct SoftmaxSolution {
  std::vector<double> w, b;
  Index steps = 0, passes = 0;
  std::string stop = "the gap is within the tolerance";
  bool interrupted = false, gave_up = false, far = false; // far: weights grew and the loss gained nothing
};

Result<SoftmaxSolution> solve_softmax(const SoftmaxProblem& problem, RowSource& rows, Pool& pool,
                                      const Watch& watch = {});

} // namespace recta
