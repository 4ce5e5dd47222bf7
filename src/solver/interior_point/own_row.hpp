// lambda1 |w_j|, as a row of its own: zero except for column j, with slopes from -1 to 1.
//
// Rows move towards p r+ = m r- = mu. A row of share s is thereby kept from its bounds with force s, and lambda1 may be
// thousands of times the share of a data row: the rows would then follow the few columns in short steps. So that all
// have about the same say, the columns move towards a smaller product, mu times the share of a data row / lambda1 v_j.
#pragma once

#include "solver/interior_point/piece_state.hpp"

#include <recta/error.hpp>

namespace recta {

struct OwnRow {
  Index column = 0;
  double share = 0; // lambda1 v_j
  double aim = 1;   // its product of p and r+ at the target 1
  PieceState state = {};
  double along = 0, affine = 0; // the step of w_j, and that of the predictor

  PieceSystem at(double w) const { return {state, {-1, 1}, -w}; }
  PieceStep step(double w, double target) const { return whole_step(at(w), state, aim * target, affine, along); }
};

} // namespace recta
