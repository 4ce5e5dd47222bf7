// Conjugate gradients over the coefficients inside their boxes, for sets too large to be solved for directly
// (free_set.hpp): with F these rows and R the ridge of squared losses,
//
//   (X_F X_F' + R) d + e nu = -slope_F,   e'd = 0 if there is an intercept,
//
// preconditioned by the diagonal, every product two passes over the rows of F. Coefficients that leave their box end at
// its end, and the others make up for what the sum of all lost by it (the projected step of More and Toraldo 1991).
// Descent over one coefficient at a time finds the set; this goes to the minimum over it, along which descent is slow
// if rows are nearly dependent.
#pragma once

#include "base/pool.hpp"
#include "solver/svm/linear_rows.hpp"
#include "solver/svm/state.hpp"

namespace recta::svm {

struct FreeGradientsLimits {
  double gap = 0;    // ends when the set has no more of P - D than this
  Index steps = 200; // at most
};

// Moves the coefficients alone, and returns the steps made; 0: this is not nearly the set, and they are as they were.
Index follow_free_gradients(const Problem& problem, const LinearRows& rows, const FreeGradientsLimits& limits,
                            State& state, Pool& pool);

} // namespace recta::svm
