// Named constants, and indices of containers.
#pragma once

#include <recta/error.hpp>

#include <cstddef>
#include <limits>

namespace recta {

inline constexpr double kUnit = 0x1p-53; // unit roundoff: no operation is off by more, relative to its result
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Converts an index of rows or columns to an index of a container.
inline std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

// Converts a size for BLAS, whose sizes have 32 bits.
inline int narrow(Index n) {
  return static_cast<int>(n);
}

} // namespace recta
