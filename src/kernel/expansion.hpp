// sum_k beta_k k(x, x_k): the score of a kernel machine without its intercept, the bound on its rounding, and the sum
// of the sizes of its terms. Terms are added in blocks, each in eight sums side by side that are joined in one order:
// the bound then hardly grows with the number of terms, of which there may be tens of thousands.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace recta::kernel {

struct Expansion {
  double value = 0, error = 0, size = 0;
};

inline Expansion expansion(std::span<const double> beta, const double* values) {
  constexpr std::size_t kSums = 8, kBlock = 512;
  const auto join = [](const double* s) { return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])); };
  double value = 0, total = 0;
  for (std::size_t from = 0; from < beta.size(); from += kBlock) {
    const std::size_t last = std::min(beta.size(), from + kBlock);
    double sum[kSums] = {}, size[kSums] = {};
    std::size_t k = from;
    for (; k + kSums <= last; k += kSums)
      for (std::size_t l = 0; l < kSums; ++l) {
        const double term = beta[k + l] * values[k + l];
        sum[l] += term, size[l] += std::abs(term);
      }
    for (; k < last; ++k) {
      const double term = beta[k] * values[k];
      sum[0] += term, size[0] += std::abs(term);
    }
    value += join(sum), total += join(size);
  }
  // Roundings that a term goes through: its product, the sum of its block with up to seven terms more, three joins, and
  // one per block.
  const std::size_t longest = std::min(beta.size(), kBlock) / kSums;
  const double roundings = static_cast<double>(longest + beta.size() / kBlock + 14);
  return {value, roundings * 0x1p-53 * total, total};
}

} // namespace recta::kernel
