#include "stats/kernels/kernels.hpp"

#include "base/simd/kernels.hpp"

namespace recta {

const StatsKernels& stats_kernels() {
#if defined(__x86_64__)
  if (simd::level() == simd::Level::avx512) return avx512::kStatsKernels;
  if (simd::level() == simd::Level::avx2) return avx2::kStatsKernels;
#endif
  return baseline::kStatsKernels;
}

} // namespace recta
