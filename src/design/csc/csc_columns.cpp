#include "design/csc/csc_columns.hpp"

namespace recta {

namespace {

// Calls f(row, value) for every number stored in column j, rows ascending.
template <class I, class F>
void each_of(const SparseView& x, Index j, F f) {
  const auto* start = static_cast<const I*>(x.start);
  const auto* index = static_cast<const I*>(x.index);
  for (I k = start[j]; k < start[j + 1]; ++k) f(static_cast<Index>(index[k]), x.value[k]);
}
template <class F>
void each_in_column(const SparseView& x, Index j, F f) {
  if (x.width == IndexWidth::bits64) return each_of<std::int64_t>(x, j, f);
  each_of<std::int32_t>(x, j, f);
}

} // namespace

double CscColumns::column_dot(Index j, const double* r) const {
  double sum = 0;
  each_in_column(x_, j, [&](Index i, double value) { sum += value * r[i]; });
  return sum;
}

void CscColumns::column_axpy(Index j, double a, double* r) const {
  each_in_column(x_, j, [&](Index i, double value) { r[i] += a * value; });
}

double CscColumns::column_sq_norm(Index j) const {
  double sum = 0;
  each_in_column(x_, j, [&](Index, double value) { sum += value * value; });
  return sum;
}

} // namespace recta
