#include "design/csc/csc_columns.hpp"

namespace recta {

double CscColumns::column_dot(Index j, const double* r) const {
  double sum = 0;
  each_in_column(x_, j, [&](Index i, double value) { sum += value * r[i]; });
  return sum;
}

void CscColumns::column_axpy(Index j, double a, double* r) const {
  each_in_column(x_, j, [&](Index i, double value) { r[i] += a * value; });
}

} // namespace recta
