// sum_k beta_k k(x, x_k): the score of a kernel machine without its intercept, the bound on its rounding, and the sum
// of the sizes of its terms. Terms are added in blocks, each in eight sums side by side that are joined in one order:
// the bound then hardly grows with the number of terms, of which there may be tens of thousands.
#pragma once

#include "base/simd/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace recta::kernel {

struct Expansion {
  double value = 0, error = 0, size = 0;
};

inline constexpr Index kExpansionBlock = 576; // terms at most

class Expanding {
public:
  void add_block(double sum, double size) { value_ += sum, size_ += size, ++blocks_; }
  // Roundings that a term goes through: its fma, those of its eighth of the block and up to seven terms more, three
  // joins, and one per block.
  Expansion taken() const {
    const Index roundings = kExpansionBlock / 8 + blocks_ + 14;
    return {value_, static_cast<double>(roundings) * 0x1p-53 * size_, size_};
  }

private:
  double value_ = 0, size_ = 0;
  Index blocks_ = 0;
};

// What rounding of the values can have done to a sum whose |beta| add up to `mass`: each is off by at most `error`, and
// by at most a share of itself, where there is one. Those below 1e-300 have none.
inline double error_of_values(const Expansion& sum, double mass, double error, double share) {
  const double of_shares = std::isfinite(share) ? share * (1 + 0x1p-20) * sum.size + 1e-300 * mass : share;
  return std::min(mass * error, of_shares);
}

inline Expansion expansion(std::span<const double> beta, const double* values) {
  Expanding out;
  for (std::size_t from = 0; from < beta.size(); from += kExpansionBlock) {
    const auto count = static_cast<Index>(std::min<std::size_t>(kExpansionBlock, beta.size() - from));
    double sum = 0, size = 0;
    simd::kernels().term_sums({values + from, 1, count, 0}, beta.data() + from, &sum, &size);
    out.add_block(sum, size);
  }
  return out.taken();
}

} // namespace recta::kernel
