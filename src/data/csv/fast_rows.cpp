#include "base/simd/kernels.hpp"
#include "data/csv/fast_rows.inl.hpp"

namespace recta::csv {

FastStop parse_fast_rows(FastRows& rows) {
  return fast_rows_body(rows);
}

ParseFastRows fastest_parse_rows() {
#if defined(__x86_64__)
  const simd::Level level = simd::level();
  if (level == simd::Level::avx512) return parse_fast_rows_avx512;
  if (level == simd::Level::avx2) return parse_fast_rows_avx2;
#endif
  return parse_fast_rows;
}

} // namespace recta::csv
