// The linear kernel <x, z>: the rows as they are.
#pragma once

#include "kernel/kernel.hpp"

namespace recta::kernel::linear {

struct Leaf {
  static constexpr std::string_view kWord = "linear";
  static constexpr std::string_view kSummary = "the rows as they are";
  static constexpr std::string_view kFormula = "<x, z>";
  static constexpr std::array<std::string_view, 0> kTakes{};
  static constexpr double kLeastCoef = -std::numeric_limits<double>::infinity();
  static constexpr bool kDefinite = true, kCentred = false, kLinear = true;

  explicit Leaf(const Settings&) {}
  void values(const Pairs&) const {}
  double error(const Lengths& lengths) const { return lengths.product_error(); }
  std::string text() const { return std::string(kFormula); }
};

} // namespace recta::kernel::linear
