// The dual of a machine of two classes as courses teach it: gradient ascent over the multipliers a_i = t_i beta_i >= 0,
//
//   D(a) = sum_i a_i - 1/2 sum_ij a_i a_j t_i t_j k(x_i, x_j) - sum_i r_i a_i^2 / 2,   dD/da_i = 1 - t_i f_i - r_i a_i,
//
// f_i = sum_j a_j t_j k(x_i, x_j), over the set {sum_i t_i a_i = 0, 0 <= a_i <= C_i}; C_i is infinite for a hard
// margin.
//
// projected: a <- the point of the set nearest to a + eta gradient. It is clip(a + eta gradient - nu t), nu the root of
//   a monotone piecewise linear function, found exactly among its sorted corners in O(n log n). With eta below 2 / L, L
//   the largest eigenvalue of the matrix, D never falls and the ascent converges.
// course: the gradient is projected on {sum_i t_i g_i = 0}, the step is taken, and what is outside 0 <= a <= C is
//   clipped. Clipping breaks sum_i t_i a_i = 0, so that the multipliers are no dual point any more, and the ascent may
//   run away: it does on the rows -3, -1 against 1, 2, 5, 9.
//
// For small data: the matrix of all pairs of rows is held.
#pragma once

#include "solver/svm/state.hpp"

#include <functional>

namespace recta::svm {

struct AscentSettings {
  bool course = false;
  double rate = 0; // eta; 0: 1 / L by a bound on L
  Index steps = 20;
  double tolerance = -1; // of P - D: the ascent ends there; below zero: it goes on
  Index look_every = 1;  // steps between looks at P - D
};

// The ascent after a step.
struct AscentPoint {
  Index step = 0;
  const State* state = nullptr;
  double dual = 0;          // D
  double gradient_norm = 0; // of the next move, divided by the rate
};

struct AscentOutcome {
  State state;
  double rate = 0, safe_rate = 0; // below safe_rate the projected ascent converges
  Index steps = 0;
  double gap = kInfinity;
  bool diverged = false, interrupted = false;
  double unbalance = 0; // sum_i t_i a_i
};

// `kernel`: n x n values. `see` is called at the start and after every step.
AscentOutcome ascend(const Problem& problem, const std::vector<double>& kernel, const AscentSettings& settings,
                     const std::function<void(const AscentPoint&)>& see = {});

// The nearest point of {sum_i t_i a_i = 0, 0 <= a_i <= high_i}; without `balanced`, of the box alone.
void project_multipliers(std::vector<double>& a, const std::vector<double>& t, const std::vector<double>& high,
                         bool balanced);

} // namespace recta::svm
