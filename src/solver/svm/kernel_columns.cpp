#include "solver/svm/kernel_columns.hpp"

#include "base/blas.hpp"
#include "base/listening.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace recta::svm {

std::optional<LinearRows> kernel_columns(KernelRows<double>& rows, Index most, bool intercept, Pool& pool) {
  constexpr double kRounding = 1e-15; // of the largest diagonal
  const Index n = rows.columns();
  std::vector<double> left, columns, pivots; // columns: one after the other
  for (Index i = 0; i < n; ++i) left.push_back(rows.diagonal(i));
  const double least = kRounding * std::ranges::max(left);
  Index count = 0;
  for (; count < n; ++count) {
    keep_going();
    const Index pivot = std::ranges::max_element(left) - left.begin();
    if (!(left[at(pivot)] > least)) break;
    if (count == most) return std::nullopt;
    columns.resize(at((count + 1) * n));
    double* const next = columns.data() + count * n;
    std::copy_n(rows.rows(std::span(&pivot, 1))[0], n, next);
    pivots.resize(at(count));
    for (Index k = 0; k < count; ++k) pivots[at(k)] = columns[at(k * n + pivot)];
    blas::gemv(-1, {columns.data(), n, count}, pivots.data(), 1, next);
    const double root = std::sqrt(left[at(pivot)]);
    for (Index i = 0; i < n; ++i) next[i] /= root, left[at(i)] -= next[i] * next[i];
    left[at(pivot)] = 0;
  }
  LinearRows out(count, false);
  std::vector<double> x(at(count));
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < count; ++k) x[at(k)] = columns[at(k * n + i)];
    out.add_dense(x.data());
  }
  if (intercept) out.move_to_centre(pool);
  return out;
}

} // namespace recta::svm
