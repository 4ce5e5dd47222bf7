// A kernel that is given as numbers: column j of a row x holds k(x, x_j), x_j being row j of training. Whether it is an
// inner product shows in the matrix of the training rows alone.
#pragma once

#include "kernel/kernel.hpp"

namespace recta::kernel::precomputed {

struct Leaf {
  static constexpr std::string_view kWord = "precomputed";
  static constexpr std::string_view kSummary = "the columns are the values themselves: one for every row of training";
  static constexpr std::string_view kFormula = "x_j, z being row j of training";
  static constexpr std::array<std::string_view, 0> kTakes{};
  static constexpr double kLeastCoef = -std::numeric_limits<double>::infinity();
  static constexpr bool kDefinite = false, kCentred = false;
  static constexpr bool kByPlace = true;

  explicit Leaf(const Settings&) {}
  void values(const Pairs&) const {}
  double error(const Lengths&) const { return 0; }
  std::string text() const { return "as given"; }
};

} // namespace recta::kernel::precomputed
