#if defined(__x86_64__)
// GCC 12 takes the registers that its own AVX-512 functions leave unset on purpose for mistakes (its bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include "data/csv/fast_rows.inl.hpp"

namespace recta::csv {

FastStop parse_fast_rows_avx512(FastRows& rows) {
  return fast_rows_body(rows);
}

} // namespace recta::csv
#endif
