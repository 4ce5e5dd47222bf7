// The pseudo-Huber loss of a residual r = y - z (Charbonnier et al. 1994):
//
//   delta^2 (sqrt(1 + t^2) - 1),   t = r / delta
//
// A square near zero, a straight line of slope delta far away, smooth everywhere. For small residuals the difference of
// two numbers near one would cancel, so it is written r^2 / (sqrt(1 + t^2) + 1).
//
// Its conjugate lives on |d| <= delta, where -derivative can reach: delta^2 (1 - c) - d y, with a = d / delta and
// c = sqrt(1 - a^2). With s = sqrt(1 + t^2) the gap of Fenchel and Young is delta^2 (s - a t - c), and because
// (s - a t)^2 - c^2 = (t - a s)^2 it is delta^2 (t - a s)^2 / (s - a t + c), a quotient in which nothing cancels.
#pragma once

#include "loss/loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta::loss::pseudo_huber {

struct With {
  static constexpr bool kByResidual = true;
  double delta = 1;

  double value(double y, double z) const {
    const double r = y - z;
    return r * r / (std::hypot(1, r / delta) + 1);
  }
  double derivative(double y, double z) const { return (z - y) / std::hypot(1, (y - z) / delta); }
  double curvature(double y, double z) const { return std::pow(std::hypot(1, (y - z) / delta), -3); }
  // Curvature of the parabola that touches the loss from above at z: the slope by the residual.
  double majorant(double y, double z) const { return 1 / std::hypot(1, (y - z) / delta); }

  bool in_domain(double, double d) const { return std::abs(d) <= delta; }
  double nearest(double, double d) const { return std::clamp(d, -delta, delta); }
  bool at_edge(double, double, double, double& d) const { return std::abs(d) > delta * (1 - 1e-7); }
  double conjugate(double y, double d) const {
    const double a = d / delta;
    return d * d / (1 + std::sqrt(1 - a * a)) - d * y;
  }
  double fenchel_young(double y, double z, double d) const {
    const double t = (y - z) / delta, a = d / delta, s = std::hypot(1, t), e = t - a * s;
    return delta * delta * e * e / (s - a * t + std::sqrt(1 - a * a));
  }
  // An upper bound on fenchel_young over every z within `off`. Rounding and `off` change t, s and their difference e by
  // at most `error`; the divisor is at least s - |t| = 1 / (s + |t|), however much of it cancels.
  double at_most(double y, double z, double off, double d) const {
    const double t = (y - z) / delta, a = d / delta, s = std::hypot(1, t);
    const double error = 4 * off / delta + 16 * 0x1p-53 * (std::abs(t) + s), e = std::abs(t - a * s) + error;
    const double divisor =
        std::max(s - a * t + std::sqrt(1 - a * a) - error, (1 - 0x1p-48) / (s + std::abs(t) + error));
    return (1 + 0x1p-48) * delta * delta * e * e / divisor;
  }
};

struct Loss : Usual<With> {
  static constexpr std::string_view kWord = "pseudo-huber";
  static constexpr std::string_view kSummary = "a square near zero, a straight line far away";
  static constexpr std::string_view kFormula = "sqrt(1 + (y - z)^2) - 1";
  static constexpr double kCurvature = 1;

  static LossModel model() {
    return {.summary = "squares near the surface, straight lines far away, smoothly joined",
            .term = "delta^2 (sqrt(1 + (r_i / delta)^2) - 1)",
            .where = ",  r_i = y_i - z_i",
            .parameter = ParamInfo{"delta",
                                   1.0,
                                   "where squares turn into lines, in the units of the target",
                                   1e-300,
                                   std::numeric_limits<double>::max(),
                                   {}}};
  }
};

} // namespace recta::loss::pseudo_huber
