// The share of one coordinate in the cost apart from the squares: h(t) = l1 |t| + l2 t^2 / 2 on [low, high], low <= 0
// <= high.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta::descent {

struct Term {
  double l1 = 0, l2 = 0;
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();

  double value(double t) const { return l1 * std::abs(t) + l2 * t * t / 2; }
  bool inside(double t) const { return t > low && t < high; }

  // argmin_t  curvature t^2 / 2 - rho t + h(t)
  double prox(double rho, double curvature) const {
    const double shrunk = rho > l1 ? rho - l1 : rho < -l1 ? rho + l1 : 0;
    return std::clamp(shrunk / (curvature + l2), low, high);
  }

  // The t at which h*(g) = max_t g t - h(t) is attained; infinite if h*(g) is infinite.
  double response(double g) const {
    if (std::abs(g) <= l1) return 0;
    const double end = g > 0 ? high : low;
    if (l2 <= 0) return end;
    const double free = (g > 0 ? g - l1 : g + l1) / l2;
    return g > 0 ? std::min(free, end) : std::max(free, end);
  }
  // h(t) + h*(g) - g t >= 0; infinite if h*(g) is.
  double slack(double t, double g) const {
    const double best = response(g);
    if (std::isinf(best)) return std::numeric_limits<double>::infinity();
    const double linear = l1 * (std::abs(t) - std::abs(best)) - g * (t - best);
    return std::max(0.0, linear + l2 * (t - best) * (t + best) / 2);
  }
  // Whether a finite dual needs |g| <= l1 on this side.
  bool unbounded(double g) const { return l2 <= 0 && std::isinf(g > 0 ? high : low); }

  // The distance of -g from the subdifferential at t: zero at an optimum.
  double violation(double t, double g) const {
    const double slope = g - l2 * t; // without the l1 part
    if (t == 0) return std::max({0.0, high > 0 ? slope - l1 : 0, low < 0 ? -slope - l1 : 0});
    const double pull = slope - std::copysign(l1, t);
    if (t >= high) return std::max(0.0, -pull);
    if (t <= low) return std::max(0.0, pull);
    return std::abs(pull);
  }
};

} // namespace recta::descent
