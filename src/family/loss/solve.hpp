// An answer to a regression with a loss of its own, by the solver that is made for it.
#pragma once

#include "driver/task_rows.hpp"
#include "objective/loss/facts.hpp"

#include <limits>

namespace recta {

// The task of a fit, and what is known of the rows.
struct LossCase {
  LossObjective objective;
  LossFacts facts;
};

struct LossSolution {
  std::vector<double> w = {};
  double b = 0, scale = 1;
  std::string solver = {}, reason = {};
  Stop stop = {};
  bool interrupted = false, gave_up = false;
  bool approximate = false; // exact steps would come nearer
  Index passes = 0;
  std::vector<std::string> conditions = {};
  double lambda1_max = std::numeric_limits<double>::quiet_NaN();
  bool without_gram = false;        // neither solver nor proof had p x p sums
  std::vector<double> runaway = {}; // a direction along which the likelihood may rise for ever
};

// `start`: weights, then the intercept, for Newton's method with p x p sums, which then takes exact steps alone.
Result<LossSolution> solve_loss(const LossObjective& objective, const LossFacts& facts, double tolerance,
                                const TaskRows& task, const std::vector<double>& start = {});

// A fitted scale at its lower limit, where the cost of a row is epsilon |r|: Newton's method has no curvature to go by
// there.
Result<LossSolution> solve_at_scale_zero(const LossObjective& objective, const LossFacts& facts, double tolerance,
                                         const TaskRows& task);

// Gradient descent, if the user asked for it.
Result<LossSolution> descend_as_asked(const Request& request, const LossObjective& objective, const TaskRows& task);

} // namespace recta
