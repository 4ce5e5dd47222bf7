#include "data/csv/fast_rows.inl.hpp"

namespace recta::csv {

FastStop parse_fast_rows(FastRows& rows) {
  return fast_rows_body(rows);
}

ParseFastRows fastest_parse_rows() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v3")) return parse_fast_rows_avx2;
#endif
  return parse_fast_rows;
}

} // namespace recta::csv
