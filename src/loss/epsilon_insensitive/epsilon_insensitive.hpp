// The epsilon-insensitive loss of support vector regression, the absolute error beyond a tube: max(0, |y - z| -
// epsilon) (Vapnik 1995). Its conjugate is epsilon |d| - d y on |d| <= 1.
#pragma once

#include "loss/loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta::loss::epsilon_insensitive {

struct With {
  static constexpr bool kByResidual = true;
  double epsilon = 0.1;

  double value(double y, double z) const { return std::max(0.0, std::abs(y - z) - epsilon); }
  double slope(double y, double z) const { return y - z > epsilon ? -1 : z - y > epsilon ? 1 : 0; } // one of them

  // Two kinks in one place are one: methods and proofs would otherwise have each row there twice.
  std::vector<Piece> pieces() const {
    if (epsilon == 0) return {{-1, 1, 0}};
    return {{0, 1, epsilon}, {-1, 0, -epsilon}};
  }

  bool in_domain(double, double d) const { return std::abs(d) <= 1; }
  double nearest(double, double d) const { return std::clamp(d, -1.0, 1.0); }
  double conjugate(double y, double d) const { return epsilon * std::abs(d) - d * y; }
  double fenchel_young(double y, double z, double d) const {
    const double r = y - z, size = std::abs(r), along = r < 0 ? -d : d;
    if (size <= epsilon) return std::abs(d) * (along >= 0 ? epsilon - size : epsilon + size);
    return (1 - along) * (size - epsilon) + (along < 0 ? -2 * along * epsilon : 0);
  }
};

struct Loss : Usual<With> {
  static constexpr std::string_view kWord = "epsilon-insensitive";
  static constexpr std::string_view kSummary =
      "nothing up to 0.1, the absolute error beyond: support vector regression";
  static constexpr std::string_view kFormula = "max(0, |y - z| - epsilon), epsilon = 0.1";

  static LossModel model() {
    return {.summary = "absolute errors beyond a tube, those within it free: the loss of support vector regression",
            .term = "max(0, |r_i| - epsilon)",
            .where = ",  r_i = y_i - z_i",
            .parameter = ParamInfo{"epsilon",
                                   0.1,
                                   "half the width of the tube, in the units of the target",
                                   0,
                                   std::numeric_limits<double>::max(),
                                   {}},
            .place = 3};
  }
};

} // namespace recta::loss::epsilon_insensitive
