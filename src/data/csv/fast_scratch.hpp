// Numbers from scratch memory, row by row, to their columns. With AVX-512 in squares of eight by eight.
#pragma once

#include "data/csv/fast_rows.hpp"

#if defined(__AVX512DQ__)
#include <immintrin.h>
#endif

namespace recta::csv {
namespace {

[[gnu::always_inline]] inline void move_column(const FastRows& rows, Index col, Index from, Index count) {
  if (rows.kinds[col] != FieldKind::number) return;
  double* out = rows.values[col] + (rows.row - count);
  const double* in = rows.scratch + from * rows.cols + col;
  for (Index i = from; i < count; ++i, in += rows.cols) out[i] = *in;
}

#if defined(__AVX512DQ__)

// Eight rows of `in`, `stride` apart, become columns: out[j][0..7] is number j of each.
[[gnu::always_inline]] inline void transpose(const double* in, Index stride, double* const* out, Index place) {
  __m512d a[8], b[8];
  for (int i = 0; i < 8; ++i) a[i] = _mm512_loadu_pd(in + i * stride);
  for (int i = 0; i < 8; i += 2) { // pairs of rows, numbers 0 2 4 6 and 1 3 5 7
    b[i] = _mm512_unpacklo_pd(a[i], a[i + 1]);
    b[i + 1] = _mm512_unpackhi_pd(a[i], a[i + 1]);
  }
  for (int i = 0; i < 8; i += 4) // fours of rows, two numbers per register: 0 4, 1 5, 2 6, 3 7
    for (int k = 0; k < 2; ++k) {
      const __m512d low = _mm512_shuffle_f64x2(b[i + k], b[i + k + 2], 0x88);
      const __m512d high = _mm512_shuffle_f64x2(b[i + k], b[i + k + 2], 0xDD);
      a[i + k] = low;
      a[i + k + 2] = high;
    }
  for (int k = 0; k < 4; ++k) {
    _mm512_storeu_pd(out[k] + place, _mm512_shuffle_f64x2(a[k], a[k + 4], 0x88));
    _mm512_storeu_pd(out[k + 4] + place, _mm512_shuffle_f64x2(a[k], a[k + 4], 0xDD));
  }
}

#endif

// Moves the numbers of the last `count` rows.
[[gnu::always_inline]] inline void empty_scratch(const FastRows& rows, Index count) {
  Index col = 0;
#if defined(__AVX512DQ__)
  for (; rows.all_numbers && col + 8 <= rows.cols; col += 8) {
    Index i = 0;
    for (; i + 8 <= count; i += 8)
      transpose(rows.scratch + i * rows.cols + col, rows.cols, rows.values + col, rows.row - count + i);
    for (Index k = 0; k < 8; ++k) move_column(rows, col + k, i, count);
  }
#endif
  for (; col < rows.cols; ++col) move_column(rows, col, 0, count);
}

} // namespace
} // namespace recta::csv
