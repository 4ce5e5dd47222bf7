// The Laplacian kernel exp(-gamma |x - z|_1): nearness by the sum of absolute differences, less sharp than the Gaussian
// kernel at small distances and less forgetful at large ones.
#pragma once

#include "kernel/exponential_of_terms.hpp"

#include <fmt/format.h>

namespace recta::kernel::laplacian {

struct Leaf : ExponentialOfTerms {
  using ExponentialOfTerms::ExponentialOfTerms;

  static constexpr std::string_view kWord = "laplacian";
  static constexpr std::string_view kSummary = "nearness by the sum of absolute differences";
  static constexpr std::string_view kFormula = "exp(-gamma sum_j |x_j - z_j|)";

  static double term(double x, double z) { return std::abs(x - z); }
  std::string text() const { return fmt::format("exp(-{} sum_j |x_j - z_j|)", gamma); }
};

} // namespace recta::kernel::laplacian
