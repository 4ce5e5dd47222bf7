// The pseudo-Huber loss: sqrt(1 + (y - z)^2) - 1. A square near zero, a straight line far away, smooth everywhere
// (Charbonnier et al. 1994). For small residuals the difference of two numbers near one would cancel, so it is
// written r^2 / (sqrt(1 + r^2) + 1).
//
// Its conjugate lives on |d| <= 1, where -derivative can reach: 1 - sqrt(1 - d^2) - d y.
#pragma once

#include "loss/loss.hpp"

#include <algorithm>
#include <cmath>

namespace recta::loss::pseudo_huber {

struct Loss {
  static constexpr std::string_view kWord = "pseudo-huber";
  static constexpr std::string_view kSummary = "a square near zero, a straight line far away";
  static constexpr std::string_view kFormula = "sqrt(1 + (y - z)^2) - 1";
  static constexpr double kCurvature = 1;

  static double value(double y, double z) {
    const double r = y - z;
    return r * r / (std::hypot(1, r) + 1);
  }
  static double derivative(double y, double z) { return (z - y) / std::hypot(1, y - z); }

  static bool in_domain(double, double d) { return std::abs(d) <= 1; }
  static double conjugate(double y, double d) { return 1 - std::sqrt(1 - d * d) - d * y; }
  static double fenchel_young(double y, double z, double d) {
    const double r = y - z;
    return std::max(0.0, std::hypot(1, r) - std::sqrt(1 - d * d) - d * r);
  }
};

} // namespace recta::loss::pseudo_huber
