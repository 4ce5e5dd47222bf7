// The hinge loss of a label y = -1 or 1: max(0, 1 - y z) (Vapnik 1995). It is zero for answers right by a margin of 1
// and a straight line for all others. Its conjugate is -d y on 0 <= d y <= 1.
#pragma once

#include "loss/loss.hpp"

#include <algorithm>

namespace recta::loss::hinge {

struct Loss {
  static constexpr std::string_view kWord = "hinge";
  static constexpr std::string_view kSummary = "what labels -1 and 1 lack of a margin of 1: support vector machines";
  static constexpr std::string_view kFormula = "max(0, 1 - y z)";
  static constexpr bool kLabels = true;

  static double value(double y, double z) { return std::max(0.0, 1 - y * z); }

  static bool in_domain(double y, double d) { return d * y >= 0 && d * y <= 1; }
  static double conjugate(double y, double d) { return -d * y; }
  static double fenchel_young(double y, double z, double d) {
    const double a = d * y, short_of = 1 - y * z;
    return short_of > 0 ? (1 - a) * short_of : -a * short_of;
  }
};

} // namespace recta::loss::hinge
