// Half the squared error: 1/2 (y - z)^2. Its conjugate d^2/2 - d y makes the Fenchel-Young residual a square.
#pragma once

#include "loss/loss.hpp"

namespace recta::loss::squared {

struct With {
  static constexpr bool kByResidual = true;
  static double value(double y, double z) { return 0.5 * (y - z) * (y - z); }
  static double derivative(double y, double z) { return z - y; }
  static double curvature(double, double) { return 1; }
  static bool in_domain(double, double) { return true; }
  static double nearest(double, double d) { return d; }
  static double conjugate(double y, double d) { return d * (0.5 * d - y); }
  static double fenchel_young(double y, double z, double d) { return 0.5 * (y - z - d) * (y - z - d); }
};

struct Loss : Usual<With> {
  static constexpr std::string_view kWord = "squared";
  static constexpr std::string_view kSummary = "half the squared error: least squares";
  static constexpr std::string_view kFormula = "1/2 (y - z)^2";
  static constexpr double kCurvature = 1;
};

} // namespace recta::loss::squared
