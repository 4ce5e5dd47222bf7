// Softmax regression by Newton's method: H d = -gradient is solved by conjugate gradients, with two passes of matrix
// products each and a preconditioner (metric.hpp), or from memory for wide sparse rows (conjugate.hpp). With squares or
// no penalty the sum of a column's weights over the classes is zero and stays so, which picks the centred answer among
// those that shift all classes alike.
//
// With a penalty on absolute values two steps alternate. The first moves within the metric alone, where the penalty is
// treated exactly, and so finds out which weights are zero; the second is a Newton step over the others, with their
// signs kept. Once the zeros are the right ones, the end is as fast as Newton's method.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "stats/gram/gram.hpp"

#include <recta/stop.hpp>
#include <recta/trace.hpp>

#include <string>

namespace recta {

struct SoftmaxProblem {
  Index classes = 0, rows = 0;
  double lambda1 = 0, lambda2 = 0;
  std::vector<double> unit = {};          // u_j: lambda1 sqrt(u_j) |w_jk| + lambda2 u_j w_jk^2 / 2; 0: constant column
  std::vector<double> mean = {}, sd = {}; // of the columns
  bool intercept = true;
  std::vector<double> start = {};   // of the constants about the means
  std::vector<double> weights = {}; // their starting values; empty: zero
  double null_objective = 0, tolerance = 1e-10;
  Index whole = 2000;         // weights over which the Hessian is formed with a penalty on absolute values
  bool wide = false;          // p x p sums are too many; then there is a penalty
  bool sparse = false;        // few numbers of a row are non-zero
  const Gram* gram = nullptr; // of the rows, where they begin at zero; not if wide or under absolute values

  // Above the usual tolerance the answer is as near as asked for. At the usual tolerance the coefficients should have
  // digits as well as F, and squares leave them an error of the root of the gap.
  bool loose() const { return tolerance > 1e-10; }
};

struct SoftmaxSolution {
  std::vector<double> w, b;
  Index steps = 0, passes = 0;
  Stop stop = Stop::tolerance_reached;
  bool interrupted = false, gave_up = false, far = false; // far: weights grew and the loss gained nothing
  double lambda1_max = 0; // from there on every weight is zero; where lambda1 is above zero and they began at zero
};

Result<SoftmaxSolution> solve_softmax(const SoftmaxProblem& problem, RowSource& rows, Pool& pool,
                                      const Watch& watch = {});

} // namespace recta
