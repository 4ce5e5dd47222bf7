// The best step along a direction: the cost is a parabola plus |.| terms, so along a line it is convex and piecewise
// quadratic, and its minimum is found by visiting the kinks in order.
#pragma once

#include "solver/coordinate_descent/term.hpp"

#include <recta/error.hpp>

#include <span>
#include <vector>

namespace recta::descent {

struct Step {
  double length = 0;     // of the direction; at most 1
  Index stopped_at = -1; // the coordinate at whose kink or bound the step ends, which is then exactly there
  double landing = 0;    // its value there
  bool full = false;     // length 1 and no sign changed
};

// From t along d, no further than 1. slope: derivative at 0 of everything except the l1 terms; curvature: of the same.
Step best_step(std::span<const Term> terms, std::span<const double> t, std::span<const double> d, double slope,
               double curvature);

} // namespace recta::descent
