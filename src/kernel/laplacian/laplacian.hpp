// The Laplacian kernel exp(-gamma |x - z|_1): nearness by the sum of absolute differences, less sharp than the Gaussian
// kernel at small distances and less forgetful at large ones.
#pragma once

#include "base/simd/kernels.hpp"
#include "kernel/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::kernel::laplacian {

struct Leaf {
  static constexpr std::string_view kWord = "laplacian";
  static constexpr std::string_view kSummary = "nearness by the sum of absolute differences";
  static constexpr std::string_view kFormula = "exp(-gamma sum_j |x_j - z_j|)";
  static constexpr std::array<std::string_view, 1> kTakes{"gamma"};
  static constexpr double kLeastCoef = -std::numeric_limits<double>::infinity();
  static constexpr bool kDefinite = true, kCentred = false;

  double gamma;

  explicit Leaf(const Settings& settings) : gamma(settings.gamma) {}
  static double term(double x, double z) { return std::abs(x - z); }
  void values(const Pairs& pairs) const {
    for (Index k = 0; k < pairs.count; ++k) pairs.values[k] *= gamma;
    simd::kernels().exp_minus_abs(pairs.count, pairs.values, pairs.values);
  }
  // exp(-t) changes by no more than t does, and by no more than 1.
  double error(const Lengths& lengths) const {
    return std::min(1.0, gamma * lengths.terms_error(lengths.most_apart()) + 0x1p-51);
  }
  double relative_error(const Lengths& lengths) const {
    return exponential_error(gamma * lengths.terms_error(lengths.most_apart()));
  }
  std::string text() const { return fmt::format("exp(-{} sum_j |x_j - z_j|)", gamma); }
};

} // namespace recta::kernel::laplacian
