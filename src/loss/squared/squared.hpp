// Half the squared error: 1/2 (y - z)^2. Its conjugate d^2/2 - d y makes the Fenchel-Young residual a square.
#pragma once

#include "loss/loss.hpp"

namespace recta::loss::squared {

struct Loss {
  static constexpr std::string_view kWord = "squared";
  static constexpr std::string_view kSummary = "half the squared error: least squares";
  static constexpr std::string_view kFormula = "1/2 (y - z)^2";
  static constexpr double kCurvature = 1;

  static double value(double y, double z) { return 0.5 * (y - z) * (y - z); }
  static double derivative(double y, double z) { return z - y; }
  static bool in_domain(double, double) { return true; }
  static double conjugate(double y, double d) { return d * (0.5 * d - y); }
  static double fenchel_young(double y, double z, double d) { return 0.5 * (y - z - d) * (y - z - d); }
};

} // namespace recta::loss::squared
