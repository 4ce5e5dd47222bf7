#include "certificate/discriminant/centred_row.hpp"

#include "base/simd/kernels.hpp"

namespace recta::discriminant {

void add_centred_row(const CentredRow& row, Index columns, double* high, double* low, double* out) {
#if defined(__x86_64__)
  if (simd::level() == simd::Level::avx512) return avx512::add_centred_row(row, columns, high, low, out);
  if (simd::level() == simd::Level::avx2) return avx2::add_centred_row(row, columns, high, low, out);
#endif
  baseline::add_centred_row(row, columns, high, low, out);
}

} // namespace recta::discriminant
