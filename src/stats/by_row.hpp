// Whether rows can be read where they stand.
#pragma once

#include <recta/matrix.hpp>

namespace recta {

// The numbers of a row are contiguous doubles.
inline bool stands_by_row(const MatrixView& view) {
  return view.scalar == Scalar::float64 && view.col_stride == 1;
}

} // namespace recta
