// The logistic loss of a label y = -1 or 1: log(1 + exp(-y z)), the negative log-likelihood of P(y | z) = 1 / (1 +
// exp(-y z)). Written so that neither sign of y z overflows, and far to the right the digits of exp(-y z) are kept.
//
// With a = d y its conjugate is a log a + (1 - a) log(1 - a) on 0 <= a <= 1, and the Fenchel-Young residual is the
// Kullback-Leibler divergence of (a, 1 - a) from (s, 1 - s), s = 1 / (1 + exp(y z)): a sum of two terms, neither
// negative.
#pragma once

#include "loss/loss.hpp"

#include <algorithm>
#include <cmath>

namespace recta::loss::logistic {

struct Loss {
  static constexpr std::string_view kWord = "logistic";
  static constexpr std::string_view kSummary = "log-loss of labels -1 and 1: logistic regression";
  static constexpr std::string_view kFormula = "log(1 + exp(-y z))";
  static constexpr double kCurvature = 0.25;
  static constexpr bool kLabels = true;

  static double value(double y, double z) { return softplus(-y * z); }
  static double derivative(double y, double z) { return -y / (1 + std::exp(y * z)); }

  static bool in_domain(double y, double d) { return d * y >= 0 && d * y <= 1; }
  static double conjugate(double y, double d) {
    return times_log(d * y, std::log(d * y)) + times_log(1 - d * y, std::log1p(-d * y));
  }
  static double fenchel_young(double y, double z, double d) {
    const double a = d * y, m = y * z;
    return std::max(0.0, divergence(a, softplus(m)) + divergence(1 - a, softplus(-m)));
  }

private:
  static double softplus(double t) { return std::max(t, 0.0) + std::log1p(std::exp(-std::abs(t))); }
  static double times_log(double p, double log_p) { return p == 0 ? 0 : p * log_p; }
  // p log(p / q) - p + q for q = exp(-minus_log_q): never negative, and over both classes the last two cancel.
  static double divergence(double p, double minus_log_q) {
    return times_log(p, std::log(p) + minus_log_q) - p + std::exp(-minus_log_q);
  }
};

} // namespace recta::loss::logistic
