// The inner loop of the fingerprint: integers only, so every instruction set gives the same number.
#pragma once

#include <recta/error.hpp>

namespace recta {

// Keys of many rows or many columns; only the lower 32 bits of each are used.
struct KeyLine {
  const std::uint64_t *low, *high;
};
struct Keys {
  std::uint64_t low, high;
};

// sum over non-zero x_s of low32(x_s + a + b_s.low) * low32(high32(x_s) + a' + b_s.high) mod 2^64
std::uint64_t hash_line(const double* x, Index n, KeyLine along, Keys across);

namespace baseline {
std::uint64_t hash_line(const double* x, Index n, KeyLine along, Keys across);
}
#if defined(__x86_64__)
namespace avx2 {
std::uint64_t hash_line(const double* x, Index n, KeyLine along, Keys across);
}
namespace avx512 {
std::uint64_t hash_line(const double* x, Index n, KeyLine along, Keys across);
}
#endif

} // namespace recta
