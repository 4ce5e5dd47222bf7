// Half the Poisson deviance of a count y with mean exp(z): e^z - y - y (z - log y), from zero up; e^z where y = 0. It
// is the negative log-likelihood less that of the best mean, so it is never negative, and 0 where e^z = y.
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
  // What rounding of z and of the logarithms can have done, as an error of z.
  double blur(double y, double z, double d) const {
    return 0x1p-51 * (2 + std::abs(z) + (y - d > 0 ? std::abs(std::log(y - d)) : 0));
  }

private:
  static double entropy(double m) { return m > 0 ? m * std::log(m) - m : 0; }
};

struct Loss : Usual<With> {
  static constexpr std::string_view kWord = "poisson";
  static constexpr std::string_view kSummary = "half the deviance of counts whose mean is exp(z)";
  static constexpr std::string_view kFormula = "exp(z) - y - y (z - log y)";
  static bool takes(double y) { return y >= 0; }
};

} // namespace recta::loss::poisson
