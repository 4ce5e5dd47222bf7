// Compressed columns in the caller's memory, for coordinate-wise solvers (ColumnDesign). Nothing is copied.
#pragma once

#include <recta/matrix.hpp>

namespace recta {

class CscColumns {
public:
  explicit CscColumns(const SparseView& x) : x_(x) {}
  Index rows() const { return x_.rows; }
  Index cols() const { return x_.cols; }
  double column_dot(Index j, const double* r) const;
  void column_axpy(Index j, double a, double* r) const;
  double column_sq_norm(Index j) const;

private:
  SparseView x_;
};

} // namespace recta
