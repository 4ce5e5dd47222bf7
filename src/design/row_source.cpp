#include "design/row_source.hpp"

#include <algorithm>
#include <bit>

namespace recta {

// Joining the Gram matrices of two blocks costs p^2. From 500 columns on, a block must be long for that to be small
// beside its own n p^2, so it leaves the cache and the matrix product does the blocking.
Index block_rows(Index cols) {
  constexpr Index kDoubles = 1 << 17; // a megabyte
  constexpr Index kLeast = 256, kMost = 4096, kWide = 2048;
  if (cols > 500) return kWide;
  const auto fit = static_cast<std::uint64_t>(kDoubles / std::max<Index>(cols, 1));
  return std::clamp(static_cast<Index>(std::bit_floor(fit)), kLeast, kMost);
}

} // namespace recta
