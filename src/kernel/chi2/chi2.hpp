// The exponential chi-squared kernel exp(-gamma sum_j (x_j - z_j)^2 / (x_j + z_j)) of numbers from zero up, such as
// counts and histograms; a term of two zeros is zero.
#pragma once

#include "kernel/exponential_of_terms.hpp"

#include <fmt/format.h>

namespace recta::kernel::chi2 {

struct Leaf : ExponentialOfTerms {
  using ExponentialOfTerms::ExponentialOfTerms;

  static constexpr std::string_view kWord = "chi2";
  static constexpr std::string_view kSummary = "nearness of counts and histograms";
  static constexpr std::string_view kFormula = "exp(-gamma sum_j (x_j - z_j)^2 / (x_j + z_j))";
  static constexpr bool kFromZeroUp = true;

  static double term(double x, double z) {
    const double sum = x + z, apart = x - z;
    return sum > 0 ? apart * (apart / sum) : 0;
  }
  std::string text() const { return fmt::format("exp(-{} sum_j (x_j - z_j)^2 / (x_j + z_j))", gamma); }
};

} // namespace recta::kernel::chi2
