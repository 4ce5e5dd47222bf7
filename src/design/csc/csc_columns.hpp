// Compressed columns in the caller's memory, for coordinate-wise solvers (ColumnDesign). Nothing is copied.
#pragma once

#include <recta/matrix.hpp>

namespace recta {

// Calls f(row, value) for every number stored in column j, rows ascending.
template <class I, class F>
void each_of_width(const SparseView& x, Index j, F f) {
  const auto* start = static_cast<const I*>(x.start);
  const auto* index = static_cast<const I*>(x.index);
  for (I k = start[j]; k < start[j + 1]; ++k) f(static_cast<Index>(index[k]), x.value[k]);
}
template <class F>
void each_in_column(const SparseView& x, Index j, F f) {
  if (x.width == IndexWidth::bits64) return each_of_width<std::int64_t>(x, j, f);
  each_of_width<std::int32_t>(x, j, f);
}

// The place at which line j begins among the numbers.
inline Index line_start(const SparseView& x, Index j) {
  return x.width == IndexWidth::bits64 ? static_cast<const std::int64_t*>(x.start)[j]
                                       : static_cast<const std::int32_t*>(x.start)[j];
}

class CscColumns {
public:
  explicit CscColumns(const SparseView& x) : x_(x) {}
  Index rows() const { return x_.rows; }
  Index cols() const { return x_.cols; }
  double column_dot(Index j, const double* r) const;
  void column_axpy(Index j, double a, double* r) const;

private:
  SparseView x_;
};

} // namespace recta
