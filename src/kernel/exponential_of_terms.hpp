// Kernels exp(-gamma sum_j d(x_j, z_j)), d a distance of two numbers that is at most |x_j - z_j|.
#pragma once

#include "base/simd/kernels.hpp"
#include "kernel/kernel.hpp"

namespace recta::kernel {

struct ExponentialOfTerms {
  static constexpr std::array<std::string_view, 1> kTakes{"gamma"};
  static constexpr double kLeastCoef = -std::numeric_limits<double>::infinity();
  static constexpr bool kDefinite = true, kCentred = false;

  double gamma;

  explicit ExponentialOfTerms(const Settings& settings) : gamma(settings.gamma) {}
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
};

} // namespace recta::kernel
