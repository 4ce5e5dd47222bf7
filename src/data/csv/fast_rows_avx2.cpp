#if defined(__x86_64__)
#include "data/csv/fast_rows.inl.hpp"

namespace recta::csv {

FastStop parse_fast_rows_avx2(FastRows& rows) {
  return fast_rows_body(rows);
}

} // namespace recta::csv
#endif
