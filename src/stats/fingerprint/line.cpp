#include "stats/fingerprint/line.hpp"

#include "base/simd/kernels.hpp"

namespace recta {

std::uint64_t hash_line(const double* x, Index n, KeyLine along, Keys across) {
#if defined(__x86_64__)
  if (simd::level() == simd::Level::avx512) return avx512::hash_line(x, n, along, across);
  if (simd::level() == simd::Level::avx2) return avx2::hash_line(x, n, along, across);
#endif
  return baseline::hash_line(x, n, along, across);
}

} // namespace recta
