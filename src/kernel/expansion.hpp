// sum_k beta_k k(x, x_k), in eight sums side by side that are joined in one order: the score of a kernel machine
// without its intercept, and the bound on its rounding.
#pragma once

#include <cmath>
#include <span>

namespace recta::kernel {

struct Expansion {
  double value = 0, error = 0;
};

inline Expansion expansion(std::span<const double> beta, const double* values) {
  constexpr std::size_t kSums = 8;
  double sum[kSums] = {}, size[kSums] = {};
  std::size_t k = 0;
  for (; k + kSums <= beta.size(); k += kSums)
    for (std::size_t l = 0; l < kSums; ++l) {
      const double term = beta[k + l] * values[k + l];
      sum[l] += term, size[l] += std::abs(term);
    }
  for (; k < beta.size(); ++k) {
    const double term = beta[k] * values[k];
    sum[0] += term, size[0] += std::abs(term);
  }
  const auto join = [](const double* s) { return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])); };
  const double roundings = static_cast<double>(beta.size() / kSums + 12);
  return {join(sum), roundings * 0x1p-53 * join(size)};
}

} // namespace recta::kernel
