// lambda1 |w_j|, as a row of its own: zero except for column j, with slopes from -1 to 1.
#pragma once

#include "solver/interior_point/piece_state.hpp"

#include <recta/error.hpp>

namespace recta {

struct OwnRow {
  Index column = 0;
  double share = 0; // lambda1 v_j
  PieceState state = {};
  double along = 0, affine = 0; // the step of w_j, and that of the predictor

  PieceSystem at(double w) const { return {state, {-1, 1}, -w}; }
  PieceStep step(double w, double target) const { return whole_step(at(w), state, target, affine, along); }
};

} // namespace recta
