// hash_line() in plain C++: for every machine, and the ends of lines on the others.
#include "stats/fingerprint/line.hpp"

#include <bit>

namespace recta::baseline {

std::uint64_t hash_line(const double* x, Index n, KeyLine along, Keys across) {
  std::uint64_t total = 0;
  for (Index s = 0; s < n; ++s) {
    const auto bits = std::bit_cast<std::uint64_t>(x[s]);
    const std::uint64_t low = (bits + across.low + along.low[s]) & 0xffffffffu;
    const std::uint64_t high = ((bits >> 32) + across.high + along.high[s]) & 0xffffffffu;
    total += bits << 1 == 0 ? 0 : low * high;
  }
  return total;
}

} // namespace recta::baseline
