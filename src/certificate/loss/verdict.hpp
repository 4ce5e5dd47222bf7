// The verdict that the bounds of a check lead to.
#pragma once

#include "certificate/least_squares/left_out.hpp"
#include "certificate/loss/certify.hpp"

#include <limits>
#include <span>

namespace recta {

struct LossOutcome {
  double objective = 0;
  double gap = 0, slack = 0;                             // F - F* <= gap + slack
  bool trivial = true;                                   // by d = 0, which meets every constraint
  double near = std::numeric_limits<double>::infinity(); // the gap of a dual point that meets them to rounding only
  double residual = 0;                     // stated if there is no bound over all columns: see residual_of
  std::vector<Index> dependent = {};       // columns whose constraints were not looked at
  bool in_all_rows = false;                // they are combinations of others in all rows, not in the curved ones alone
  LeftOut left_out = {};                   // exact: they are met with those of others
  std::vector<Index> nearly_constant = {}; // columns that are constant to rounding only, and left out
  double floor = 0;                        // the least that doubles can tell apart
  double hidden = 0;                       // F itself is off by no more
};

// The distance of the conditions of the optimum from being met, beside the sizes of what they sum up: the largest share
// over the columns. `gradient`: sum v d x_j, `size`: sum v |d x_j|.
double residual_of(const LossClaimed& claimed, std::span<const double> gradient, std::span<const double> size);

Certificate written(const LossClaimed& claimed, const LossFacts& facts, LossOutcome outcome, Index passes);

} // namespace recta
