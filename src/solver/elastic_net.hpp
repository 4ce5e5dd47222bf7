// Lasso and elastic net for one target: coordinate descent on working sets, ended by an exact solve on the support.
// The objective is in objective/elastic_net/objective.hpp; nothing here tells the user how good an answer is, which
// is the job of certify().
#pragma once

#include "base/pool.hpp"
#include "objective/elastic_net/objective.hpp"
#include "stats/gram/gram.hpp"

#include <recta/matrix.hpp>
#include <recta/stop.hpp>
#include <recta/trace.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace recta {

struct ElasticNetSolution {
  std::vector<double> w; // in the units of the data; zeros are exact
  double b = 0;
  double gap = 0; // the solver's own, in units of F
  Index sweeps = 0, passes = 0;
  Stop stop = Stop::tolerance_reached;
  bool interrupted = false;
};

// One set of rows, any number of objectives: each solve begins at the previous answer, as a path needs.
class ElasticNetSolver {
public:
  virtual ~ElasticNetSolver() = default;
  // The least lambda1 at which every penalised coefficient is zero (factors, bounds and units of `objective`; its own
  // lambda1 is ignored).
  virtual double lambda1_max(const ElasticNetObjective& objective) = 0;
  // The first solve begins at these coefficients, which are in the units of the data, instead of zero.
  virtual void start_at(std::span<const double> w) = 0;
  // Solves end as soon as the gap is within the tolerance, and not with an exact solve on the support.
  virtual void end_at_tolerance() = 0;
  // `tolerance` is of the gap, in units of F at w = 0 with the best intercept.
  virtual ElasticNetSolution solve(const ElasticNetObjective& objective, double tolerance, const Watch& watch = {}) = 0;
};

// All arguments must outlive the solver. `y` has the offsets subtracted; `weight` empty: all one.
std::unique_ptr<ElasticNetSolver> elastic_net_by_gram(const Gram& gram, Index target);
std::unique_ptr<ElasticNetSolver> elastic_net_by_columns(const MatrixView& x, std::span<const double> y,
                                                         std::span<const double> weight, Pool& pool);
std::unique_ptr<ElasticNetSolver> elastic_net_by_columns(const SparseView& x, std::span<const double> y,
                                                         std::span<const double> weight, Pool& pool); // by column

} // namespace recta
