// What the bounds of a check come to.
#pragma once

#include "certificate/least_squares/left_out.hpp"
#include "certificate/loss/certify.hpp"

#include <limits>
#include <optional>

namespace recta {

struct LossOutcome {
  double objective = 0;
  double gap = 0, slack = 0;                             // F - F* <= gap + slack
  bool trivial = true;                                   // by d = 0, which meets every constraint
  double near = std::numeric_limits<double>::infinity(); // the gap of a dual point that meets them to rounding only
  // How far the conditions are from being met, beside the sizes of what they sum up: what is said where there is no
  // bound over all columns. None: the gap is said as a number.
  std::optional<double> residual = {};
  std::vector<Index> dependent = {}; // columns whose constraints were not looked at
  bool in_all_rows = false;          // they are combinations of others in all rows, and not in the curved ones alone
  LeftOut left_out = {};             // exact: they are met with those of others
  bool nearly_constant = false;      // some columns are constant to rounding only
  double floor = 0;                  // the least that doubles can tell apart
};

Certificate verdict_of(const LossClaimed& claimed, const LossFacts& facts, const LossOutcome& found, Index passes);

} // namespace recta
