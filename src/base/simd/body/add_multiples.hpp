// out_i += sum_k by_k rows_k,i: a matrix product with a vector whose rows lie anywhere, every number one chain of fma
// in the order of k. Eight rows at a time, each read from end to end, so that `out` is loaded and stored once for them.
#pragma once

#include "base/simd/body/layout.hpp"

namespace recta::simd {
namespace {

template <int Rows, class Number>
SIMD_INLINE void add_some_multiples(Index n, const Number* const* rows, const double* by, double* out) {
  Pack factor[Rows];
  for (int k = 0; k < Rows; ++k) factor[k] = set(by[k]);
  const auto add = [&](Index i, Index count) {
    Pack sum = take(out + i, 1, count);
    for (int k = 0; k < Rows; ++k) sum = fma(factor[k], take(rows[k] + i, 1, count), sum);
    put(sum, out + i, count);
  };
  Index i = 0;
  for (; i + kWidth <= n; i += kWidth) add(i, kWidth);
  if (i < n) add(i, n - i);
}

template <class Number>
SIMD_INLINE void add_all_multiples(Index n, Index count, const Number* const* rows, const double* by, double* out) {
  constexpr int kTogether = 8;
  Index k = 0;
  for (; k + kTogether <= count; k += kTogether) add_some_multiples<kTogether>(n, rows + k, by + k, out);
  for (; k < count; ++k) add_some_multiples<1>(n, rows + k, by + k, out);
}

void add_multiples(Index n, Index count, const double* const* rows, const double* by, double* out) {
  add_all_multiples(n, count, rows, by, out);
}
void add_float_multiples(Index n, Index count, const float* const* rows, const double* by, double* out) {
  add_all_multiples(n, count, rows, by, out);
}

} // namespace
} // namespace recta::simd
