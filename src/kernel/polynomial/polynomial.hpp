// The polynomial kernel (gamma <x, z> + c)^h: all monomials up to degree h, those of degree h alone at c = 0. The power
// is h - 1 products in a row, each with one rounding.
#pragma once

#include "kernel/kernel.hpp"

#include <fmt/format.h>

namespace recta::kernel::polynomial {

struct Leaf {
  static constexpr std::string_view kWord = "polynomial";
  static constexpr std::string_view kSummary = "all monomials up to a degree";
  static constexpr std::string_view kFormula = "(gamma <x, z> + coef)^degree";
  static constexpr std::array<std::string_view, 3> kTakes{"gamma", "degree", "coef"};
  static constexpr double kLeastCoef = 0;
  static constexpr bool kDefinite = true, kCentred = false; // definite for coef >= 0, which is all that is taken

  double gamma, coef;
  Index degree;

  explicit Leaf(const Settings& settings) : gamma(settings.gamma), coef(settings.coef), degree(settings.degree) {}
  void values(const Pairs& pairs) const {
    for (Index k = 0; k < pairs.count; ++k) {
      const double base = gamma * pairs.values[k] + coef;
      double power = base;
      for (Index h = 1; h < degree; ++h) power *= base;
      pairs.values[k] = power;
    }
  }
  double error(const Lengths& lengths) const {
    const double base = gamma * lengths.length * lengths.other + coef, h = static_cast<double>(degree);
    const double off = gamma * lengths.product_error() + 0x1p-51 * base;
    return h * std::pow(base + off, h - 1) * off + h * 0x1p-52 * std::pow(base, h);
  }
  std::string text() const { return fmt::format("({} <x, z> + {})^{}", gamma, coef, degree); }
};

} // namespace recta::kernel::polynomial
