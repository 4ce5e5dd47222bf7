// The Huber loss (Huber 1964), with residuals measured by a scale s:
//
//   s h(r / s),  h(t) = t^2 / 2 where |t| <= epsilon, epsilon |t| - epsilon^2 / 2 beyond,  r = y - z
//
// It is a square near zero and a straight line far away: one row pulls with a force of at most epsilon. With s = 1 it
// is the loss in the units of the target. In the form s h(r / s) it is convex in r and s together (the perspective of
// h), which lets a fit find the scale as well. Its conjugate is s d^2 / 2 - d y on |d| <= epsilon.
#pragma once

#include "loss/loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta::loss::huber {

struct With {
  static constexpr bool kByResidual = true;
  double epsilon = 1, scale = 1;

  double value(double y, double z) const {
    const double t = std::abs(y - z) / scale;
    return scale * (t <= epsilon ? 0.5 * t * t : epsilon * (t - 0.5 * epsilon));
  }
  double derivative(double y, double z) const { return -std::clamp((y - z) / scale, -epsilon, epsilon); }
  double curvature(double y, double z) const { return std::abs(y - z) / scale <= epsilon ? 1 / scale : 0; }
  // Curvature of the parabola that touches the loss from above at z.
  double majorant(double y, double z) const {
    const double t = std::abs(y - z) / scale;
    return (t <= epsilon ? 1 : epsilon / t) / scale;
  }

  std::vector<Piece> pieces() const { return {{-epsilon, epsilon, 0}}; } // in the limit of scale zero

  bool in_domain(double, double d) const { return std::abs(d) <= epsilon; }
  double nearest(double, double d) const { return std::clamp(d, -epsilon, epsilon); }
  bool at_edge(double, double, double, double& d) const { return std::abs(d) > epsilon * (1 - 1e-7); }
  double conjugate(double y, double d) const { return d * (0.5 * scale * d - y); }
  double fenchel_young(double y, double z, double d) const {
    const double t = (y - z) / scale, along = t < 0 ? -d : d, size = std::abs(t);
    if (size <= epsilon) return 0.5 * scale * (t - d) * (t - d);
    return scale * (epsilon - along) * (size - 0.5 * (epsilon + along));
  }
};

struct Loss : Usual<With> {
  static constexpr std::string_view kWord = "huber";
  static constexpr std::string_view kSummary = "a square up to 1, a straight line beyond: rows far away pull no harder";
  static constexpr std::string_view kFormula = "r^2 / 2 where |r| <= 1, |r| - 1/2 beyond, r = y - z";
  static constexpr double kCurvature = 1;

  static LossModel model() {
    return {.summary = "squares near the surface, straight lines far away: rows far off pull no harder",
            .term = "s h((y_i - z_i) / s)",
            .where = ",  h(t) = t^2 / 2 where |t| <= epsilon, epsilon |t| - epsilon^2 / 2 beyond",
            .parameter =
                ParamInfo{"epsilon", 1.35, "where squares end, in units of the scale, which is fitted too", 1, 1e6, {}},
            .unscaled =
                LossModel::Unscaled{
                    {"delta",
                     std::numeric_limits<double>::quiet_NaN(),
                     "where squares end in the units of the target: no scale is fitted, and epsilon plays no part",
                     1e-300,
                     std::numeric_limits<double>::max(),
                     {}},
                    "h(y_i - z_i)",
                    ",  h(t) = t^2 / 2 where |t| <= delta, delta |t| - delta^2 / 2 beyond"},
            .place = 1};
  }
};

} // namespace recta::loss::huber
