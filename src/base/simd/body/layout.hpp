// The layouts in which a kernel reads a block of rows: which of the strides is 1, doubles or floats.
#pragma once

#include "base/simd/kernels.hpp"

namespace recta::simd {
namespace {

template <class T, bool ByRow>
struct Block {
  const T* data;
  const double* low;
  Index rows, cols, row_stride, col_stride;

  const T* at(Index i, Index j) const { return data + i * row_stride + j * col_stride; }
  const double* low_at(Index i, Index j) const { return low + i * row_stride + j * col_stride; }
  static constexpr bool kByRow = ByRow;                 // a row's numbers are neighbours
  Index step() const { return ByRow ? 1 : col_stride; } // between them; a constant where it matters
  bool by_column() const { return row_stride == 1 || rows == 1; }
};

template <class T, class F>
SIMD_INLINE void with_order(const MatrixView& x, F f) {
  const auto* data = static_cast<const T*>(x.data);
  // A single column is read downwards if its numbers are neighbours.
  const bool by_row = x.cols == 1 ? x.row_stride != 1 : x.col_stride == 1;
  if (by_row) return f(Block<T, true>{data, x.low, x.rows, x.cols, x.row_stride, 1});
  f(Block<T, false>{data, x.low, x.rows, x.cols, x.row_stride, x.col_stride});
}

template <class F>
SIMD_INLINE void with_block(const MatrixView& x, F f) {
  if (x.scalar == Scalar::float64) return with_order<double>(x, f);
  with_order<float>(x, f);
}

// A pack of numbers, or the `count` that are left and zeros; with stride 1 they are loaded straight into registers.
template <class T>
SIMD_INLINE Pack take(const T* from, Index stride, Index count) {
  if (stride == 1) return count >= kWidth ? load(from) : load_part(from, count);
  double copy[kWidth] = {};
  for (Index k = 0; k < count && k < kWidth; ++k) copy[k] = static_cast<double>(from[k * stride]);
  return load(copy);
}
SIMD_INLINE void put(const Pack& a, double* to, Index count) {
  if (count >= kWidth) return store(a, to);
  store_part(a, to, count);
}

} // namespace
} // namespace recta::simd
