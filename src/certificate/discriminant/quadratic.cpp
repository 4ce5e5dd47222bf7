// qda: T_k' S_k T_k = I in every class over the columns that count, T_k upper triangular, so that log det S_k = -2 sum
// log T_jj. The columns that count are the same in every class; the others have no part in T and are combinations of
// earlier ones in all rows. A class is widened if, and only if, its own covariance is not of full rank over them.
#include "base/blas.hpp"
#include "base/numbers.hpp"
#include "certificate/discriminant/checking.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta::discriminant {
namespace {

constexpr double kEither = 2; // a remainder within this factor of the limit may be taken for either side of it

std::vector<double> part_of(const double* s, Index p, const std::vector<Index>& rows,
                            const std::vector<Index>& columns) {
  std::vector<double> out;
  for (const Index j : columns)
    for (const Index i : rows) out.push_back(s[j * p + i]);
  return out;
}

} // namespace

void Checking::quadratic() {
  if (!counting_columns()) return;
  // All rows as one class: the covariances inside the classes, as they are shrunk, and that of the means.
  const std::vector<double>& within = plain_.empty() ? expected_.matrices : plain_;
  const std::vector<double> share = class_shares({}, sums_.weight, {});
  std::vector<double> all = spread_of_all();
  for (std::size_t i = 0; i < numbers_; ++i)
    for (std::size_t k = 0; k < share.size(); ++k)
      all[i] += share[k] * (within[k * numbers_ + i] - sums_.covariance[k * numbers_ + i]);
  dependent_columns(all);
  for (std::size_t k = 0; k < share.size(); ++k) {
    widened(k);
    factor(k);
  }
}

bool Checking::counting_columns() {
  const auto counts = [&](std::size_t k, Index j) { return claim_.t[k * numbers_ + at(j * p_ + j)] != 0; };
  for (Index j = 0; j < p_; ++j)
    if (counts(0, j)) columns_.push_back(j);
  if (columns_.empty()) findings_.wrong.emplace_back("no column counts");
  if (std::ssize(columns_) != claim_.rank)
    findings_.wrong.push_back(
        fmt::format("the model states rank {}, and {} of its columns count", claim_.rank, columns_.size()));
  for (std::size_t k = 0; k < claim_.prior.size(); ++k)
    for (Index j = 0; j < p_; ++j)
      for (Index i = 0; i < p_; ++i) {
        const bool none = !counts(0, i) || !counts(0, j);
        if (counts(k, j) == counts(0, j) && !(none && claim_.t[k * numbers_ + at(j * p_ + i)] != 0)) continue;
        findings_.wrong.push_back(fmt::format("class {}: its factor is not over the columns that count in all classes",
                                              claim_.classes.labels[k]));
        return false;
      }
  return findings_.wrong.empty();
}

// With LL' the matrix of the columns that count, what is left of column j beside earlier ones is s_jj - |L^-1 s_j|^2
// over those before it.
void Checking::dependent_columns(const std::vector<double>& all) {
  const double limit = claim_.shape.tolerance * claim_.shape.tolerance;
  const Index m = std::ssize(columns_);
  std::vector<double> l = part_of(all.data(), p_, columns_, columns_);
  std::vector<Index> every(at(p_));
  std::iota(every.begin(), every.end(), 0);
  std::vector<double> projected = part_of(all.data(), p_, columns_, every);
  if (blas::potrf({l.data(), m}) != 0) {
    findings_.wrong.emplace_back("a column that counts is a combination of earlier ones");
    return;
  }
  blas::trsm(blas::Side::left, blas::Triangle::lower, {l.data(), m}, {projected.data(), m, p_});
  for (Index j = 0; j < p_; ++j) {
    const double variance = all[at(j * p_ + j)], least = least_[at(j)];
    const auto before = std::ranges::lower_bound(columns_, j) - columns_.begin();
    const bool counts = before < m && columns_[at(before)] == j;
    double left = variance;
    for (Index a = 0; a < before; ++a) left -= projected[at(j * m + a)] * projected[at(j * m + a)];
    const double rounded = rounding() * variance;
    if (counts && !(variance > least / kEither && left > limit * variance / kEither - rounded))
      findings_.wrong.push_back(fmt::format("column {} counts, and is a combination of earlier ones", j + 1));
    if (!counts && !(variance <= least * kEither || left <= limit * variance * kEither + rounded))
      findings_.wrong.push_back(
          fmt::format("column {} does not count, and is not a combination of earlier ones", j + 1));
  }
}

void Checking::widened(std::size_t k) {
  const double added = claim_.added[k];
  if (added == 0) return;
  const std::vector<double> least =
      least_variances({mean(k), mean(k) + p_}, p_); // of this class: others may lie further out
  std::vector<double> r = part_of(plain_.data() + k * numbers_, p_, columns_, columns_), deviation;
  const Index m = std::ssize(columns_);
  bool varies = true;
  for (Index a = 0; a < m; ++a) {
    const double variance = r[at(a * m + a)];
    varies = varies && variance > kEither * least[at(columns_[at(a)])];
    deviation.push_back(std::sqrt(variance));
  }
  for (Index b = 0; b < m && varies; ++b)
    for (Index a = 0; a < m; ++a) r[at(b * m + a)] /= deviation[at(a)] * deviation[at(b)];
  const double limit = claim_.shape.tolerance * claim_.shape.tolerance * kEither + rounding();
  const bool whole = varies && inverse_squares(std::move(r), m) * limit < 1;
  if (added != claim_.shape.tolerance || whole)
    findings_.wrong.push_back(fmt::format("class {} is widened by {}, the rows ask for {}", claim_.classes.labels[k],
                                          added, whole ? 0 : claim_.shape.tolerance));
}

void Checking::factor(std::size_t k) {
  std::vector<double> product(numbers_), whole(numbers_);
  const double *t = claim_.t.data() + k * numbers_, *s = matrix(k);
  const std::vector<double> scale = scales(s);
  blas::gemm(1, {s, p_}, {t, p_}, 0, {product.data(), p_});
  blas::gemm(1, blas::transposed({t, p_}), {product.data(), p_}, 0, {whole.data(), p_});
  const std::vector<double> off = mean_roundings(k, scale);
  std::vector<double> moved(at(p_)); // what the rounding of the means adds to T'(m - mean)
  double log_determinant = 0, reach = 0;
  for (std::size_t j = 0; j < at(p_); ++j) {
    const double diagonal = t[j * at(p_) + j];
    if (diagonal != 0) log_determinant -= 2 * std::log(std::abs(diagonal));
    for (std::size_t i = 0; i < at(p_); ++i) {
      const double entry = std::abs(t[j * at(p_) + i]) * scale[i];
      reach += entry * entry;
      moved[j] += entry * off[i];
    }
  }
  const double rounded = static_cast<double>(p_ + 8) * kUnit * reach;
  for (std::size_t j = 0; j < at(p_); ++j)
    for (std::size_t i = 0; i < at(p_); ++i) {
      const double below = i > j ? std::abs(t[j * at(p_) + i]) * scale[i] : 0;
      const bool one = i == j && t[j * at(p_) + j] != 0;
      findings_.look(std::max(below, std::abs(whole[j * at(p_) + i] - (one ? 1 : 0))), rounded + moved[i] * moved[j]);
    }
  const double limit = claim_.shape.tolerance * claim_.shape.tolerance;
  if (!(reach * (limit / kEither - rounding()) < 1)) // |L^-1|^2 of the correlations
    findings_.wrong.push_back(fmt::format("the covariance of class {} is not of full rank", claim_.classes.labels[k]));
  if (!(std::abs(log_determinant - claim_.log_determinant[k]) <=
        1e-9 * (static_cast<double>(p_) + std::abs(log_determinant))))
    findings_.wrong.push_back(fmt::format("the log-determinant of class {} is {}, its factor gives {}",
                                          claim_.classes.labels[k], claim_.log_determinant[k], log_determinant));
}

} // namespace recta::discriminant
