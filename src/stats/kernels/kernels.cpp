#include "stats/kernels/kernels.hpp"

namespace recta {

const StatsKernels& stats_kernels() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw"))
    return avx512::kStatsKernels;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2::kStatsKernels;
#endif
  return baseline::kStatsKernels;
}

} // namespace recta
