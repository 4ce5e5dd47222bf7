// The sigmoid kernel tanh(gamma <x, z> + c). Its matrices are in general not positive semidefinite (Lin and Lin 2003):
// a machine with it has no convex dual, and claims a stationary point only. tanh changes by no more than its argument;
// the C library computes it within 2 units of the last place.
#pragma once

#include "kernel/kernel.hpp"

#include <fmt/format.h>

namespace recta::kernel::sigmoid {

struct Leaf {
  static constexpr std::string_view kWord = "sigmoid";
  static constexpr std::string_view kSummary = "tanh of the product; in general not positive semidefinite";
  static constexpr std::string_view kFormula = "tanh(gamma <x, z> + coef)";
  static constexpr std::array<std::string_view, 2> kTakes{"gamma", "coef"};
  static constexpr double kLeastCoef = -std::numeric_limits<double>::infinity();
  static constexpr bool kDefinite = false, kCentred = false;

  double gamma, coef;

  explicit Leaf(const Settings& settings) : gamma(settings.gamma), coef(settings.coef) {}
  void values(const Pairs& pairs) const {
    for (Index k = 0; k < pairs.count; ++k) pairs.values[k] = std::tanh(gamma * pairs.values[k] + coef);
  }
  double error(const Lengths& lengths) const {
    const double size = gamma * lengths.length * lengths.other + std::abs(coef);
    return std::min(2.0, gamma * lengths.product_error() + 0x1p-51 * size + 0x1p-51);
  }
  std::string text() const { return fmt::format("tanh({} <x, z> + {})", gamma, coef); }
};

} // namespace recta::kernel::sigmoid
