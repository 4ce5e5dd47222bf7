// Half the gamma deviance of a positive y with mean exp(z): y e^-z - 1 - (log y - z), that is e^t - 1 - t for
// t = log y - z. It depends on the ratio of y and its mean alone.
//
// With m = 1 + d its conjugate is m log m - m - d log y + 1 on d >= -1, and the Fenchel-Young residual is
// m (e^s - 1 - s), s = t - log m.
#pragma once

#include "loss/exp_rest.hpp"
#include "loss/loss.hpp"

#include <algorithm>

namespace recta::loss::gamma {

struct With {
  static constexpr bool kLogLink = true;

  double value(double y, double z) const { return exp_rest(std::log(y) - z); }
  double derivative(double y, double z) const { return -std::expm1(std::log(y) - z); }
  double curvature(double y, double z) const { return std::exp(std::log(y) - z); }
  double slopes(double y, double z, double& d, double& c) const {
    const double t = std::log(y) - z;
    c = std::exp(t);
    d = -std::expm1(t);
    return exp_rest(t);
  }

  bool in_domain(double, double d) const { return d >= -1; }
  double nearest(double, double d) const { return std::max(d, -1.0); }
  double conjugate(double y, double d) const {
    const double m = 1 + d;
    return (m > 0 ? m * std::log(m) - m : 0) - d * std::log(y) + 1;
  }
  double fenchel_young(double y, double z, double d) const {
    const double m = 1 + d, t = std::log(y) - z;
    return m > 0 ? m * exp_rest(t - std::log(m)) : std::exp(t);
  }
  // What rounding of z and of the logarithms can have done, as an error of z.
  double blur(double y, double z, double d) const {
    return 0x1p-51 * (2 + std::abs(z) + std::abs(std::log(y)) + (1 + d > 0 ? std::abs(std::log(1 + d)) : 0));
  }
};

struct Loss : Usual<With> {
  static constexpr std::string_view kWord = "gamma";
  static constexpr std::string_view kSummary = "half the deviance of positive numbers whose mean is exp(z)";
  static constexpr std::string_view kFormula = "y exp(-z) - 1 - (log y - z)";
  static bool takes(double y) { return y > 0; }
};

} // namespace recta::loss::gamma
