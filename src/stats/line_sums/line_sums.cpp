#include "stats/line_sums/line_sums.hpp"

#include "base/simd/kernels.hpp"

namespace recta {

void line_sums(const double* value, const Index* start, Index lines, const LineSums& out) {
#if defined(__x86_64__)
  if (simd::level() == simd::Level::avx512) return avx512::line_sums(value, start, lines, out);
  if (simd::level() == simd::Level::avx2) return avx2::line_sums(value, start, lines, out);
#endif
  baseline::line_sums(value, start, lines, out);
}

} // namespace recta
