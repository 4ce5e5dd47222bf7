// A bound on F - F* by the residual as dual point. In the coordinates u_j = d_j w_j on which the penalty is (d_j = 1,
// or the deviation where standardised), with g = X'S r / d over the columns of a group and its targets and any scale c,
//
//   F - F* <= (1 - c)^2 / 2 sum_i s_i r_i^2 + sum_g [P_g(u_g) + P_g*(c g_g) - c <g_g, u_g>]
//   P_g(u) = a |u| + t |u|^2 / 2,      P_g*(h) = max(0, |h| - a)^2 / (2 t), or 0 where |h| <= a and t = 0
//
// and what the intercepts cost. Every term is zero or above: <g, u> is |g| |u| (1 - |u/|u| - g/|g||^2 / 2), so nothing
// cancels except a - c |g|. Where t = 0, c keeps c |g| <= a with the rounding of g counted against it, so that c r is
// feasible as a real vector and the bound is a bound.
#pragma once

#include <recta/error.hpp>

#include <vector>

namespace recta {

struct GroupTerm {
  double a = 0, t = 0;
  double rounding = 0;      // bound on what rounding did to a, and to d in units of a
  std::vector<double> u, g; // columns x targets
  double error = 0;         // bound on what rounding did to g, as a length

  double length() const; // |u|
  double size() const;   // |g|
  double value() const;  // P(u)
};

struct GroupBound {
  double gap = 0;
  double slack = 0; // bound on what rounding did to it
};

// mean_square: sum s r^2, about the mean if there is an intercept; intercept: the cost of b.
GroupBound bound_by_residual(const std::vector<GroupTerm>& terms, double mean_square, double intercept);

} // namespace recta
