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
  // An upper bound on fenchel_young over every z within `off`: m is off by u of itself, and s by the errors of two
  // logarithms, that of m in one of them and three subtractions.
  double at_most(double y, double z, double off, double d) const {
    const double m = 1 + d, log_y = std::log(y), t = log_y - z;
    const double error = off + kElementaryError * std::abs(log_y) + 0x1p-52 * (1 + std::abs(t));
    if (!(m > 0)) return exp_at_most(t, error);
    const double log_m = std::log(m), s = t - log_m;
    return (1 + 0x1p-50) * m * exp_rest_at_most(s, error + kElementaryError * std::abs(log_m) + 0x1p-52 * std::abs(s));
  }
};

struct Loss : Usual<With> {
  static constexpr std::string_view kWord = "gamma";
  static constexpr std::string_view kSummary = "half the deviance of positive numbers whose mean is exp(z)";
  static constexpr std::string_view kFormula = "y exp(-z) - 1 - (log y - z)";
  static bool takes(double y) { return y > 0; }

  static LossModel model() {
    return {.summary =
                "positive numbers whose mean is exp(<w, x> + b) and whose spread grows with it: gamma regression",
            .term = "(y_i exp(-z_i) - 1 - (log y_i - z_i))",
            .takes = "gamma regression takes numbers above zero",
            .place = 5};
  }
};

} // namespace recta::loss::gamma
