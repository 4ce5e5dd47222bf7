#include "solver/row_coordinates/row_coordinates.hpp"

#include "base/blas.hpp"
#include "base/factor/blocked.hpp"
#include "base/sums.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace recta {
namespace {

constexpr Index kMostSpanning = 4096; // rows: L has the square of them
constexpr Index kSpanTile = 16;       // rows per task
constexpr Index kSpanColumns = 4096;  // columns per task

// Times of one core in nanoseconds, as they were measured on rows of words: a step of conjugate gradients with the rows
// moves vectors of p numbers many times, and some forty steps are usual. pairs: of numbers in one column.
bool coordinates_pay(Index rows, Index cols, double stored, double pairs, Index classes) {
  constexpr double kSteps = 40, kNumber = 4, kColumn = 30, kProduct = 1, kFactor = 0.02;
  const auto n = static_cast<double>(rows), count = static_cast<double>(classes);
  const double there = kProduct * pairs + kFactor * n * n * n + kSteps * count * n * n / 2;
  return 2 * there <= kSteps * count * (kNumber * stored + kColumn * static_cast<double>(cols));
}

// out_i += x a_i for the rows i of a column. It has no row twice, so four may be read before one is written.
void add_column(const std::int32_t* row, const double* value, Index count, double x, double* out) {
  Index s = 0;
  for (; s + 4 <= count; s += 4) {
    double *const a = out + row[s], *const b = out + row[s + 1], *const c = out + row[s + 2],
                  *const d = out + row[s + 3];
    const double to_a = *a + x * value[s], to_b = *b + x * value[s + 1], to_c = *c + x * value[s + 2],
                 to_d = *d + x * value[s + 3];
    *a = to_a, *b = to_b, *c = to_c, *d = to_d;
  }
  for (; s < count; ++s) out[row[s]] += x * value[s];
}

double stored_numbers(HeldRows& rows) {
  double count = 0;
  (void)for_each_batch(rows, [&](const Batch& batch) -> Result<void> {
    const auto& x = std::get<SparseView>(batch.x);
    for (Index i = 0; i < batch.rows(); ++i) count += static_cast<double>(sparse_row(x, i).count);
    return {};
  });
  return count;
}

} // namespace

bool RowCoordinates::conceivable(std::optional<Index> rows, Index cols) {
  return rows && *rows <= kMostSpanning && cols >= 2 * *rows;
}

std::optional<RowCoordinates> RowCoordinates::find(HeldRows& rows, const Columns& columns, Index classes, Pool& pool) {
  const bool sparse = !std::holds_alternative<DenseRows>(rows.seen());
  if (!sparse || !conceivable(rows.rows(), rows.cols())) return std::nullopt;
  if (!coordinates_pay(*rows.rows(), rows.cols(), stored_numbers(rows), 0, classes)) return std::nullopt;
  RowCoordinates found(rows, columns);
  if (!found.pay(classes) || !found.factor(pool)) return std::nullopt;
  const MatrixView l = MatrixView::row_major(found.l_.data(), found.n_, found.n_);
  found.source_ = std::make_unique<DenseSource>(
      l, Outcome{MatrixView::vector(found.y_.data(), found.n_), found.weight_, found.offset_});
  return found;
}

RowCoordinates::RowCoordinates(HeldRows& rows, const Columns& columns)
    : n_(*rows.rows()), y_(rows.target(0)), weight_(rows.weight()), offset_(rows.offset()) {
  for (std::size_t j = 0; j < columns.unit.size(); ++j) {
    root_.push_back(std::sqrt(columns.unit[j]));
    mean_.push_back(root_[j] > 0 ? columns.mean[j] / root_[j] : 0);
  }
  std::vector<double> by_row;
  (void)for_each_batch(rows, [&](const Batch& batch) -> Result<void> {
    for (Index i = 0; i < batch.rows(); ++i) {
      const bool present = batch.weight.empty() || batch.weight[i] > 0;
      const SparseRow row = sparse_row(std::get<SparseView>(batch.x), i);
      for (Index s = 0; present && s < row.count; ++s)
        if (const Index j = row.column(s); row.value[s] != 0 && root_[j] > 0) {
          a_.column.push_back(static_cast<std::int32_t>(j));
          by_row.push_back(row.value[s] / root_[j]);
        }
      a_.row_start.push_back(std::ssize(by_row));
    }
    return {};
  });
  a_.start.resize(root_.size() + 1);
  for (const std::int32_t j : a_.column) ++a_.start[static_cast<std::size_t>(j) + 1];
  std::partial_sum(a_.start.begin(), a_.start.end(), a_.start.begin());
  std::vector<std::int64_t> next = a_.start;
  a_.row.resize(by_row.size());
  a_.value.resize(by_row.size());
  for (Index i = 0; i < n_; ++i)
    for (std::int64_t s = a_.row_start[i]; s < a_.row_start[i + 1]; ++s) {
      a_.place.push_back(next[a_.column[s]]++);
      a_.row[a_.place.back()] = static_cast<std::int32_t>(i);
      a_.value[a_.place.back()] = by_row[s];
    }
}

bool RowCoordinates::pay(Index classes) const {
  double pairs = 0;
  for (std::size_t j = 0; j + 1 < a_.start.size(); ++j) {
    const auto height = static_cast<double>(a_.start[j + 1] - a_.start[j]);
    pairs += height * (height + 1) / 2;
  }
  return coordinates_pay(n_, std::ssize(root_), static_cast<double>(a_.value.size()), pairs, classes);
}

// The lower triangle of A A', by row, about the means. Returns the largest number that it is a difference of.
double RowCoordinates::multiply_rows(Pool& pool) {
  l_.assign(static_cast<std::size_t>(n_ * n_), 0.0);
  std::vector<double> along_mean(static_cast<std::size_t>(n_));
  pool.run((n_ + kSpanTile - 1) / kSpanTile, [&](Index tile, int) {
    for (Index i = tile * kSpanTile; i < std::min(n_, (tile + 1) * kSpanTile); ++i) {
      double* const out = l_.data() + i * n_;
      for (std::int64_t s = a_.row_start[i]; s < a_.row_start[i + 1]; ++s) {
        const std::int32_t j = a_.column[s];
        const std::int64_t last = a_.place[s];
        const double x = a_.value[last];
        along_mean[i] += x * mean_[j];
        const std::int64_t begin = a_.start[j];
        add_column(a_.row.data() + begin, a_.value.data() + begin, last + 1 - begin, x, out);
      }
    }
  });
  CompensatedSum sum; // it has p terms, and all of A A' shares its rounding
  for (const double m : mean_) sum.add(m * m);
  double largest = sum.value();
  for (Index i = 0; i < n_; ++i) {
    largest = std::max(largest, l_[i * n_ + i]);
    for (Index k = 0; k <= i; ++k) l_[i * n_ + k] += sum.value() - along_mean[i] - along_mean[k];
  }
  return largest;
}

bool RowCoordinates::factor(Pool& pool) {
  const double rounding = 16 * static_cast<double>(n_) * 0x1p-53 * multiply_rows(pool);
  for (Index i = 0; i < n_; ++i) l_[i * n_ + i] += rounding; // some rows may depend on others
  return rounding > 0 && std::isfinite(rounding) && blocked_cholesky(l_.data(), n_, &pool);
}

std::vector<double> RowCoordinates::weights(std::vector<double> v, Pool& pool) const {
  const auto p = std::ssize(root_), count = std::ssize(v) / n_;
  // By column, what lies by row in l_ is L'.
  blas::trsm(blas::Side::left, blas::Triangle::upper, {l_.data(), n_}, {v.data(), n_, count});
  std::vector<double> sum(static_cast<std::size_t>(count)), out(static_cast<std::size_t>(count * p));
  for (Index k = 0; k < count; ++k) sum[k] = std::accumulate(v.begin() + k * n_, v.begin() + (k + 1) * n_, 0.0);
  pool.run((p + kSpanColumns - 1) / kSpanColumns, [&](Index tile, int) {
    for (Index j = tile * kSpanColumns; j < std::min(p, (tile + 1) * kSpanColumns); ++j)
      for (Index k = 0; k < count; ++k) {
        double total = -mean_[j] * sum[k];
        for (std::int64_t s = a_.start[j]; s < a_.start[j + 1]; ++s) total += a_.value[s] * v[k * n_ + a_.row[s]];
        out[k * p + j] = root_[j] > 0 ? total / root_[j] : 0;
      }
  });
  return out;
}

} // namespace recta
