// The exponential chi-squared kernel exp(-gamma sum_j (x_j - z_j)^2 / (x_j + z_j)) of numbers from zero up, such as
// counts and histograms; a term of two zeros is zero.
#pragma once

#include "base/simd/kernels.hpp"
#include "kernel/kernel.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::kernel::chi2 {

struct Leaf {
  static constexpr std::string_view kWord = "chi2";
  static constexpr std::string_view kSummary = "nearness of counts and histograms";
  static constexpr std::string_view kFormula = "exp(-gamma sum_j (x_j - z_j)^2 / (x_j + z_j))";
  static constexpr std::array<std::string_view, 1> kTakes{"gamma"};
  static constexpr double kLeastCoef = -std::numeric_limits<double>::infinity();
  static constexpr bool kDefinite = true, kCentred = false;
  static constexpr bool kFromZeroUp = true;

  double gamma;

  explicit Leaf(const Settings& settings) : gamma(settings.gamma) {}
  static double term(double x, double z) {
    const double sum = x + z, apart = x - z;
    return sum > 0 ? apart * (apart / sum) : 0;
  }
  void values(const Pairs& pairs) const {
    for (Index k = 0; k < pairs.count; ++k) pairs.values[k] *= gamma;
    simd::kernels().exp_minus_abs(pairs.count, pairs.values, pairs.values);
  }
  // A term is at most |x_j - z_j|; exp(-t) changes by no more than t does, and by no more than 1.
  double error(const Lengths& lengths) const {
    return std::min(1.0, gamma * lengths.terms_error(lengths.most_apart()) + 0x1p-51);
  }
  double relative_error(const Lengths& lengths) const {
    return exponential_error(gamma * lengths.terms_error(lengths.most_apart()));
  }
  std::string text() const { return fmt::format("exp(-{} sum_j (x_j - z_j)^2 / (x_j + z_j))", gamma); }
};

} // namespace recta::kernel::chi2
