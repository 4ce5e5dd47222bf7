// The Gaussian kernel exp(-gamma |x - z|^2), gamma = 1 / (2 sigma^2). The distance comes from the products, |x|^2 +
// |z|^2 - 2 <x, z>, of rows about their centre: far from the origin its digits would cancel. The exponential is within
// one unit of the last place (base/simd/body/exp.hpp).
#pragma once

#include "base/simd/kernels.hpp"
#include "kernel/kernel.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::kernel::rbf {

struct Leaf {
  static constexpr std::string_view kWord = "rbf";
  static constexpr std::string_view kSummary = "nearness: 1 for equal rows, next to 0 for rows far apart";
  static constexpr std::string_view kFormula = "exp(-gamma |x - z|^2)";
  static constexpr std::array<std::string_view, 2> kTakes{"gamma", "sigma"};
  static constexpr double kLeastCoef = -std::numeric_limits<double>::infinity();
  static constexpr bool kDefinite = true, kCentred = true;

  double gamma;

  explicit Leaf(const Settings& settings) : gamma(settings.gamma) {}
  void values(const Pairs& pairs) const {
    // A row whose square is no double is far from all points, and infinities would cancel below.
    if (std::isinf(pairs.square)) {
      std::fill_n(pairs.values, pairs.count, 0.0);
      return;
    }
    simd::kernels().gaussians(pairs.count, gamma, pairs.square, pairs.squares, pairs.values);
  }
  void float_values(const FloatPairs& pairs) const {
    simd::kernels().float_gaussians(pairs.count, static_cast<float>(gamma), pairs.square, pairs.squares, pairs.values);
  }
  // exp(-t) changes by no more than t does, and by no more than 1.
  double error(const Lengths& lengths) const { return std::min(1.0, exponent_error(lengths) + 0x1p-51); }
  double relative_error(const Lengths& lengths) const { return exponential_error(exponent_error(lengths)); }
  double exponent_error(const Lengths& lengths) const {
    const double distance = lengths.length + lengths.other;
    return gamma * (lengths.square_error() + 2 * lengths.product_error()) + gamma * 0x1p-51 * distance * distance;
  }
  std::string text() const { return fmt::format("exp(-{} |x - z|^2)", gamma); }
};

} // namespace recta::kernel::rbf
