// What the bounds of a check come to.
#pragma once

#include "certificate/least_squares/left_out.hpp"
#include "certificate/loss/certify.hpp"

#include <limits>

namespace recta {

struct LossOutcome {
  double objective = 0;
  double gap = 0, slack = 0;                             // F - F* <= gap + slack
  bool trivial = true;                                   // by d = 0, which meets every constraint
  double near = std::numeric_limits<double>::infinity(); // the gap of a dual point that meets them to rounding only
  Index dependent = 0;                                   // columns whose constraints were not looked at
  LeftOut left_out = {};                                 // exact: they are met with those of others
  bool nearly_constant = false;                          // some columns are constant to rounding only
  double floor = 0;                                      // the least that doubles can tell apart
};

Certificate verdict_of(const LossClaimed& claimed, const LossFacts& facts, const LossOutcome& found, Index passes);

} // namespace recta
