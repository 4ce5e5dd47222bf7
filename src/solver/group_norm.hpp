// Group lasso and multi-task lasso: block coordinate descent on working sets, ended by Newton steps on the groups in
// use. The objective is in objective/group_norm/objective.hpp; certify() says how good an answer is.
#pragma once

#include "base/pool.hpp"
#include "objective/group_norm/objective.hpp"
#include "stats/gram/gram.hpp"

#include <recta/matrix.hpp>
#include <recta/stop.hpp>
#include <recta/trace.hpp>

#include <memory>
#include <string>
#include <vector>

namespace recta {

struct GroupNormSolution {
  std::vector<double> w; // p x k by target, in the units of the data; zeros are exact
  std::vector<double> b; // k
  double gap = 0;        // the solver's own, in units of F
  Index sweeps = 0, passes = 0;
  Stop stop = Stop::tolerance_reached;
  bool interrupted = false;
};

// One set of rows with targets that are solved together, any number of objectives: each solve begins at the previous
// answer. lambda1 is positive.
class GroupNormSolver {
public:
  virtual ~GroupNormSolver() = default;
  // The least lambda1 at which every coefficient is zero; the objective's own lambda1 is ignored.
  virtual double lambda1_max(const GroupNormObjective& objective) = 0;
  // `tolerance` is of the gap, in units of F at w = 0 with the best intercept.
  virtual GroupNormSolution solve(const GroupNormObjective& objective, double tolerance, const Watch& watch = {}) = 0;
};

// All arguments must outlive the solver. It solves for the targets `first`, first + 1, ...; `y` has n numbers per
// target, with the offsets subtracted; `weight` empty: all one.
std::unique_ptr<GroupNormSolver> group_norm_by_gram(const Gram& gram, Index first, Index targets);
std::unique_ptr<GroupNormSolver> group_norm_by_columns(const MatrixView& x, std::span<const double> y,
                                                       std::span<const double> weight, Pool& pool);
std::unique_ptr<GroupNormSolver> group_norm_by_columns(const SparseView& x, std::span<const double> y,
                                                       std::span<const double> weight, Pool& pool); // by column

} // namespace recta
