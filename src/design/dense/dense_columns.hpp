// The columns of a dense matrix in the caller's memory, any strides, double or float, for coordinate-wise solvers
// (ColumnDesign). Nothing is copied.
#pragma once

#include "base/simd/kernels.hpp"

namespace recta {

class DenseColumns {
public:
  explicit DenseColumns(const MatrixView& x) : x_(x) {}
  Index rows() const { return x_.rows; }
  Index cols() const { return x_.cols; }

  // sum_i x_ij r_i
  double column_dot(Index j, const double* r) const {
    double sum = 0;
    simd::kernels().column_dots(column(j), r, &sum);
    return sum;
  }
  // r_i += a x_ij
  void column_axpy(Index j, double a, double* r) const {
    if (x_.scalar == Scalar::float64) return axpy(static_cast<const double*>(column(j).data), a, r);
    axpy(static_cast<const float*>(column(j).data), a, r);
  }

private:
  MatrixView column(Index j) const {
    MatrixView one = x_;
    const Index size = x_.scalar == Scalar::float64 ? sizeof(double) : sizeof(float);
    one.data = static_cast<const char*>(x_.data) + j * x_.col_stride * size;
    if (x_.low) one.low = x_.low + j * x_.col_stride;
    one.cols = 1;
    return one;
  }
  template <class T>
  void axpy(const T* x, double a, double* r) const {
    for (Index i = 0; i < x_.rows; ++i) r[i] += a * static_cast<double>(x[i * x_.row_stride]);
  }

  MatrixView x_;
};

} // namespace recta
