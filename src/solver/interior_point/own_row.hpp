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
  // Predictor and corrector together.
  PieceStep step(double w, double target) const {
    const PieceSystem now = at(w);
    const PieceStep aff = now.step(state, -now.p * state.plus, -now.m * state.minus, affine);
    return now.step(state, target - now.p * state.plus + aff.d * aff.plus,
                    target - now.m * state.minus - aff.d * aff.minus, along);
  }
};

} // namespace recta
