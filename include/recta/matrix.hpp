// Views of memory the caller owns. Nothing here copies, and nothing here owns.
#pragma once

#include <recta/error.hpp>

#include <cstddef>

namespace recta {

enum class Scalar : std::uint8_t { float64, float32 };

// Element (i, j) lies `i * row_stride + j * col_stride` elements after `data`: C order, Fortran order, slices and
// transposes are the same type. `low`, when present, has the same strides and holds the part of each number that
// does not fit into a double: the value is data + low exactly.
struct MatrixView {
  const void* data = nullptr;
  Index rows = 0, cols = 0;
  Index row_stride = 0, col_stride = 0;
  Scalar scalar = Scalar::float64;
  const double* low = nullptr;

  static MatrixView row_major(const double* x, Index rows, Index cols) { return {x, rows, cols, cols, 1}; }
  static MatrixView col_major(const double* x, Index rows, Index cols) { return {x, rows, cols, 1, rows}; }
  static MatrixView vector(const double* x, Index rows) { return {x, rows, 1, 1, rows}; }
};

enum class IndexWidth : std::uint8_t { bits32, bits64 };
enum class Compressed : std::uint8_t { by_row, by_column };

// Compressed sparse rows or columns. `start` has one entry more than there are rows (or columns); `start` and
// `index` have the same width; indices ascend inside a row (or column) and occur once.
struct SparseView {
  Index rows = 0, cols = 0;
  const void* start = nullptr;
  const void* index = nullptr;
  const double* value = nullptr;
  IndexWidth width = IndexWidth::bits64;
  Compressed compressed = Compressed::by_row;
};

} // namespace recta
