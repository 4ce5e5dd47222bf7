#include "solver/discriminant/whiten.hpp"

#include "base/blas.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace recta::discriminant {
namespace {

// Correlations of the columns with a variance: m x m by column.
std::vector<double> correlations_of(const double* s, Index p, const std::vector<Index>& columns,
                                    const std::vector<double>& deviation) {
  const Index m = std::ssize(columns);
  std::vector<double> r(at(m * m));
  for (Index b = 0; b < m; ++b)
    for (Index a = 0; a < m; ++a)
      r[at(b * m + a)] = a == b ? 1 : s[columns[at(b)] * p + columns[at(a)]] / deviation[at(a)] / deviation[at(b)];
  return r;
}

// T over all columns, from T over those with a variance.
void spread_rows(const std::vector<double>& inner, Index rank, const std::vector<Index>& columns,
                 const std::vector<double>& deviation, Whitening& out) {
  const Index m = std::ssize(columns);
  out.rank = rank;
  out.t.assign(at(out.size * rank), 0.0);
  for (Index c = 0; c < rank; ++c)
    for (Index a = 0; a < m; ++a) out.t[at(c * out.size + columns[at(a)])] = inner[at(c * m + a)] / deviation[at(a)];
}

// False: R may not have full rank.
bool by_cholesky(std::vector<double> r, Index m, double tolerance, std::vector<double>& inner, Whitening& out) {
  if (blas::potrf({r.data(), m}) != 0) return false;
  double log_determinant = 0;
  for (Index j = 0; j < m; ++j) log_determinant += 2 * std::log(r[at(j * m + j)]);
  if (blas::trtri(blas::Triangle::lower, {r.data(), m}) != 0) return false;
  inner.assign(at(m * m), 0.0);
  double squares = 0;
  for (Index j = 0; j < m; ++j)
    for (Index i = j; i < m; ++i) { // the transpose of L^-1
      const double value = r[at(j * m + i)];
      inner[at(i * m + j)] = value;
      squares += value * value;
    }
  if (!(squares * tolerance * tolerance < 1)) return false;
  out.log_determinant += log_determinant;
  out.condition = static_cast<double>(m) * squares;
  return true;
}

Index by_eigenvectors(std::vector<double> r, Index m, double tolerance, std::vector<double>& inner, Whitening& out) {
  std::vector<double> values(at(m));
  blas::syevd(true, {r.data(), m}, values.data());
  inner.clear();
  double least = 1, largest = 1;
  for (Index c = m - 1; c >= 0; --c) { // the largest first
    const double value = values[at(c)];
    if (!(value > tolerance * tolerance)) break;
    if (c == m - 1) largest = value;
    least = value;
    out.log_determinant += std::log(value);
    for (Index a = 0; a < m; ++a) inner.push_back(r[at(c * m + a)] / std::sqrt(value));
  }
  out.triangular = false;
  out.condition = largest / least;
  return m == 0 ? 0 : std::ssize(inner) / m;
}

} // namespace

std::vector<double> Whitening::coordinates(const double* x) const {
  std::vector<double> out(at(rank));
  if (rank > 0) blas::gemv(1, blas::transposed({t.data(), size, rank}), x, 0, out.data());
  return out;
}

std::vector<double> Whitening::weights(const std::vector<double>& inside) const {
  std::vector<double> out(at(size));
  if (rank > 0) blas::gemv(1, {t.data(), size, rank}, inside.data(), 0, out.data());
  return out;
}

Whitening whiten(const double* covariance, const std::vector<double>& least, double tolerance) {
  Whitening out;
  out.size = std::ssize(least);
  std::vector<Index> columns;
  std::vector<double> deviation, inner;
  for (Index j = 0; j < out.size; ++j)
    if (const double variance = covariance[j * out.size + j]; variance > least[at(j)]) {
      columns.push_back(j);
      deviation.push_back(std::sqrt(variance));
      out.log_determinant += std::log(variance);
    }
  const Index m = std::ssize(columns);
  const std::vector<double> r = correlations_of(covariance, out.size, columns, deviation);
  Index rank = m;
  if (m > 0 && !by_cholesky(r, m, tolerance, inner, out)) rank = by_eigenvectors(r, m, tolerance, inner, out);
  if (m < out.size) out.triangular = false;
  spread_rows(inner, rank, columns, deviation, out);
  return out;
}

} // namespace recta::discriminant
