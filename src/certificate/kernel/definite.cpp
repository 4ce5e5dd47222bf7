#include "certificate/kernel/definite.hpp"

#include "base/blas.hpp"
#include "base/factor/cholesky.hpp"
#include "base/numbers.hpp"
#include "certificate/least_squares/exact_span.hpp"
#include "design/view_source.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr Index kCarefulRows = 300;

bool finite_square(const MatrixView& k) {
  if (k.rows != k.cols) return false;
  for (Index i = 0; i < k.rows; ++i)
    for (Index j = 0; j < k.cols; ++j)
      if (!std::isfinite(element(k, i, j))) return false;
  return true;
}

// A row whose own value is zero must be zeros, and none is below zero.
bool zeros_beside_zero(const MatrixView& k) {
  for (Index i = 0; i < k.rows; ++i)
    for (Index j = 0; j < k.cols; ++j)
      if (element(k, i, i) < 0 || (element(k, i, i) == 0 && element(k, i, j) != 0)) return false;
  return true;
}

// The number in units of powers of two near the roots of the diagonal, which is exact unless it is below the smallest
// numbers there.
double scaled(const MatrixView& k, Index i, Index j) {
  const auto doublings = [&](Index c) { return -(std::ilogb(element(k, c, c)) / 2); };
  return std::ldexp(element(k, i, j), doublings(i) + doublings(j));
}

// The distance by which numbers and those across the diagonal are apart at most, scaled.
double asymmetry(const MatrixView& k, const std::vector<Index>& some) {
  double most = 0;
  for (const Index i : some)
    for (const Index j : some)
      if (j < i) most = std::max(most, std::abs(scaled(k, i, j) - scaled(k, j, i)));
  return most;
}

// Rows and columns `some`, less `less` on the diagonal.
template <class T>
std::vector<T> block_of(const MatrixView& k, const std::vector<Index>& some, double less) {
  const std::size_t n = some.size();
  std::vector<T> out(n * n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i <= j; ++i) out[i + j * n] = T(scaled(k, some[i], some[j]));
  for (std::size_t j = 0; j < n; ++j) out[j + j * n] = out[j + j * n] - T(less);
  return out;
}

// Whether the smallest eigenvalue is above `least`.
template <class T>
bool runs_through(const MatrixView& k, const std::vector<Index>& some, double least, Pool& pool) {
  constexpr double unit = std::is_same_v<T, double> ? kUnit : 16 * kUnit * kUnit;
  const auto n = static_cast<double>(some.size());
  double trace = 0;
  for (const Index i : some) trace += scaled(k, i, i);
  const Cholesky<T> factor(block_of<T>(k, some, 2 * (n + 3) * unit * trace + least), std::ssize(some), 0, &pool);
  return factor.rank() == std::ssize(some);
}

} // namespace

Result<bool> shown_definite(const MatrixView& k, Pool& pool) {
  const blas::SerialBlas serial;
  if (!finite_square(k) || !zeros_beside_zero(k)) return false;
  std::vector<Index> some;
  for (Index i = 0; i < k.rows; ++i)
    if (element(k, i, i) > 0) some.push_back(i);
  // Matrices between K and its transpose differ from the one looked at by less than this.
  const double apart = 2 * static_cast<double>(some.size()) * asymmetry(k, some);
  if (std::ssize(some) > kCarefulRows) return runs_through<double>(k, some, apart, pool);
  if (some.empty() || runs_through<DoubleDouble>(k, some, apart, pool)) return true;
  if (apart > 0) return false;
  constexpr double kIndependent = 0x1p-80;
  const Cholesky<DoubleDouble> factor(block_of<DoubleDouble>(k, some, 0), std::ssize(some), kIndependent, &pool);
  std::vector<Index> independent;
  for (const Index c : factor.basic()) independent.push_back(some[at(c)]);
  if (!runs_through<DoubleDouble>(k, independent, 0, pool)) return false;
  DenseSource rows(k, Outcome{});
  const auto looked = look_at_span(independent, false, k.rows, {rows, pool, {}}, {"certifying"});
  if (!looked) return std::unexpected(looked.error());
  return looked->all;
}

Result<bool> is_definite(const kernel::Kernel& kernel, RowSource& source, Pool& pool) {
  constexpr Index kMostRows = 3000; // a few seconds
  if (!kernel.by_place()) return kernel.definite();
  const Index n = source.cols();
  if (n > kMostRows) return false;
  std::vector<double> k(at(n * n));
  Index rows = 0;
  const auto read = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
    const Index some = std::min(batch.rows(), n - std::min(n, rows));
    for (Index i = 0; i < some; ++i) {
      double* const row = k.data() + (rows + i) * n;
      if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
        for (Index j = 0; j < n; ++j) row[j] = element(*dense, i, j);
        continue;
      }
      const SparseRow stored = sparse_row(std::get<SparseView>(batch.x), i);
      for (Index s = 0; s < stored.count; ++s) row[stored.column(s)] = stored.value[s];
    }
    rows += batch.rows();
    return {};
  });
  if (!read) return std::unexpected(read.error());
  if (rows != n) return false;
  const auto shown = shown_definite(MatrixView::row_major(k.data(), n, n), pool);
  return shown && *shown;
}

} // namespace recta
