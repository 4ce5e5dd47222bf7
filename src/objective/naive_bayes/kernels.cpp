#include "objective/naive_bayes/kernels.hpp"

#include "base/simd/kernels.hpp"

namespace recta::naive_bayes {

const Kernels& kernels() {
#if defined(__x86_64__)
  if (simd::level() == simd::Level::avx512) return avx512::kKernels;
  if (simd::level() == simd::Level::avx2) return avx2::kKernels;
#endif
  return baseline::kKernels;
}

} // namespace recta::naive_bayes
