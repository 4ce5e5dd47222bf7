// Half the Poisson deviance of a count y with mean exp(z): e^z - y - y (z - log y), from zero up; e^z if y = 0. It is
// the negative log-likelihood minus that of the best mean, so it is never negative, and it is 0 if e^z = y.
//
// With m = y - d its conjugate is m log m - m - y log y + y on d <= y, and the Fenchel-Young residual is
// m (e^s - 1 - s), s = z - log m: the same function, with m in the place of y.
#pragma once

#include "loss/exp_rest.hpp"
#include "loss/loss.hpp"

#include <algorithm>

namespace recta::loss::poisson {

struct With {
  static constexpr bool kLogLink = true;

  double value(double y, double z) const { return y > 0 ? y * exp_rest(z - std::log(y)) : std::exp(z); }
  double derivative(double y, double z) const { return std::exp(z) - y; }
  double curvature(double, double z) const { return std::exp(z); }
  double slopes(double y, double z, double& d, double& c) const {
    c = std::exp(z);
    d = c - y;
    return y > 0 ? y * exp_rest(z - std::log(y)) : c;
  }

  bool in_domain(double y, double d) const { return d <= y; }
  double nearest(double y, double d) const { return std::min(d, y); }
  bool at_edge(double y, double z, double spare, double& d) const {
    if (y > 0 || std::exp(z) > spare) return false;
    d = 0;
    return true;
  }
  double conjugate(double y, double d) const { return entropy(y - d) - entropy(y); }
  double fenchel_young(double y, double z, double d) const {
    const double m = y - d;
    return m > 0 ? m * exp_rest(z - std::log(m)) : std::exp(z);
  }
  // An upper bound on fenchel_young over every z within `off`: m is off by u of itself, and s by the logarithm's error,
  // that of m in it and two subtractions.
  double at_most(double y, double z, double off, double d) const {
    const double m = y - d;
    if (!(m > 0)) return exp_at_most(z, off + 0x1p-52 * std::abs(z));
    const double log_m = std::log(m), s = z - log_m;
    const double error = off + kElementaryError * std::abs(log_m) + 0x1p-52 * (1 + std::abs(s));
    return (1 + 0x1p-50) * m * exp_rest_at_most(s, error);
  }

private:
  static double entropy(double m) { return m > 0 ? m * std::log(m) - m : 0; }
};

struct Loss : Usual<With> {
  static constexpr std::string_view kWord = "poisson";
  static constexpr std::string_view kSummary = "half the deviance of counts whose mean is exp(z)";
  static constexpr std::string_view kFormula = "exp(z) - y - y (z - log y)";
  static bool takes(double y) { return y >= 0; }

  static LossModel model() {
    return {.summary = "counts whose mean is exp(<w, x> + b): Poisson regression",
            .term = "(exp(z_i) - y_i - y_i (z_i - log y_i))",
            .takes = "Poisson regression takes numbers from zero up",
            .place = 4};
  }
};

} // namespace recta::loss::poisson
