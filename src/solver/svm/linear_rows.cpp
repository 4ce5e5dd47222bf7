#include "solver/svm/linear_rows.hpp"

#include "base/blas.hpp"
#include "base/simd/kernels.hpp"
#include "base/sums.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace recta::svm {
namespace {

constexpr Index kRowsAtOnce = 2048; // of one task
constexpr Index kPartialSums = 16;  // vectors of `cols` numbers that run side by side
constexpr Index kBlock = 128;       // rows that stay in the cache between two looks

std::vector<double> total(const std::vector<std::vector<double>>& parts) {
  std::vector<double> out = parts[0];
  for (std::size_t t = 1; t < parts.size(); ++t)
    for (std::size_t j = 0; j < out.size(); ++j) out[j] += parts[t][j];
  return out;
}

} // namespace

// Sums over all rows into `cols` numbers, in parts that run side by side.
template <class Number, class Add>
std::vector<std::vector<Number>> LinearRows::partial_sums(Pool& pool, const Add& add) const {
  const Index parts = std::clamp<Index>(rows_ / kRowsAtOnce, 1, kPartialSums), each = (rows_ + parts - 1) / parts;
  std::vector<std::vector<Number>> sums(at(parts));
  pool.run(parts, [&](Index task, int) {
    sums[at(task)].assign(at(cols_), Number{});
    for (Index i = task * each; i < std::min(rows_, (task + 1) * each); ++i) add(i, sums[at(task)].data());
  });
  return sums;
}

void LinearRows::reserve(Index rows) {
  square_.reserve(at(rows));
  if (!sparse_) x_.reserve(at(rows * cols_));
}

void LinearRows::add_dense(const double* x) {
  x_.insert(x_.end(), x, x + cols_);
  ++rows_;
  square_.push_back(dot(rows_ - 1, x));
}

void LinearRows::take_dense(Index rows, const Write& write, Pool& pool) {
  rows_ = rows;
  x_.resize(at(rows * cols_)), square_.resize(at(rows));
  pool.run((rows_ + kRowsAtOnce - 1) / kRowsAtOnce, [&](Index task, int) {
    for (Index i = task * kRowsAtOnce; i < std::min(rows_, (task + 1) * kRowsAtOnce); ++i) {
      write(i, x_.data() + i * cols_);
      square_[at(i)] = dot(i, dense(i));
    }
  });
}

void LinearRows::move_to_centre(Pool& pool) {
  if (sparse_) return;
  const std::vector<double> share(at(rows_), 1 / static_cast<double>(std::max<Index>(1, rows_)));
  centre_ = combination(share, pool);
  pool.run((rows_ + kRowsAtOnce - 1) / kRowsAtOnce, [&](Index task, int) {
    for (Index i = task * kRowsAtOnce; i < std::min(rows_, (task + 1) * kRowsAtOnce); ++i) {
      for (Index j = 0; j < cols_; ++j) x_[at(i * cols_ + j)] -= centre_[at(j)];
      square_[at(i)] = dot(i, dense(i));
    }
  });
}

LinearRows LinearRows::in_units(std::span<const double> unit) const {
  LinearRows out = *this;
  for (std::size_t j = 0; j < out.centre_.size(); ++j) out.centre_[j] /= unit[j];
  for (std::size_t e = 0; e < out.x_.size(); ++e) out.x_[e] /= unit[e % unit.size()];
  for (std::size_t e = 0; e < out.value_.size(); ++e) out.value_[e] /= unit[at(Index{out.index_[e]})];
  for (Index i = 0; i < rows_; ++i) {
    double square = 0;
    out.each(i, [&](Index, double x) { square += x * x; });
    out.square_[at(i)] = square;
  }
  return out;
}

double LinearRows::at_centre(std::span<const double> w) const {
  double sum = 0;
  for (std::size_t j = 0; j < centre_.size(); ++j) sum += centre_[j] * w[j];
  return sum;
}

double LinearRows::longest() const {
  const double about_centre = square_.empty() ? 0 : std::sqrt(std::ranges::max(square_));
  return about_centre + std::sqrt(std::inner_product(centre_.begin(), centre_.end(), centre_.begin(), 0.0));
}

void LinearRows::prefetch(Index i) const {
  constexpr Index kLine = 64; // bytes that come from memory at once
  if (!sparse_) return;
  const Index first = start_[at(i)], last = start_[at(i) + 1];
  for (Index s = first; s < last; s += kLine / Index{sizeof(double)}) __builtin_prefetch(value_.data() + s);
  for (Index s = first; s < last; s += kLine / Index{sizeof(std::int32_t)}) __builtin_prefetch(index_.data() + s);
}

double LinearRows::dot(Index i, const double* w) const {
  double sum[4] = {};
  if (!sparse_) {
    const double* const x = dense(i);
    Index j = 0;
    for (; j + 4 <= cols_; j += 4)
      for (Index k = 0; k < 4; ++k) sum[k] += x[j + k] * w[j + k];
    for (; j < cols_; ++j) sum[0] += x[j] * w[j];
  } else {
    Index s = start_[at(i)];
    const Index end = start_[at(i) + 1];
    for (; s + 4 <= end; s += 4)
      for (Index k = 0; k < 4; ++k) sum[k] += value_[at(s + k)] * w[index_[at(s + k)]];
    for (; s < end; ++s) sum[0] += value_[at(s)] * w[index_[at(s)]];
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void LinearRows::add_to(Index i, double by, double* w) const {
  if (!sparse_) {
    const double* const x = dense(i);
    for (Index j = 0; j < cols_; ++j) w[j] += by * x[j];
    return;
  }
  for (Index s = start_[at(i)]; s < start_[at(i) + 1]; ++s) w[index_[at(s)]] += by * value_[at(s)];
}

void LinearRows::write_out(Index i, double* x) const {
  std::fill(x, x + cols_, 0.0);
  add_to(i, 1, x);
}

void LinearRows::scores(std::span<const double> w, std::vector<double>& f, Pool& pool) const {
  f.resize(at(rows_));
  pool.run((rows_ + kRowsAtOnce - 1) / kRowsAtOnce, [&](Index task, int) {
    const Index first = task * kRowsAtOnce, last = std::min(rows_, first + kRowsAtOnce);
    if (!sparse_) return simd::kernels().row_dots(some(first, last), w.data(), f.data() + first);
    for (Index i = first; i < last; ++i) f[at(i)] = dot(i, w.data());
  });
}

std::vector<double> LinearRows::turned_scores(std::span<const double> w, const Turn& turn, Pool& pool) const {
  const Index parts = std::clamp<Index>(rows_ / kRowsAtOnce, 1, kPartialSums), each = (rows_ + parts - 1) / parts;
  std::vector<std::vector<double>> sums(at(parts), std::vector<double>(at(cols_)));
  pool.run(parts, [&](Index task, int) {
    std::vector<double> numbers(at(kBlock));
    const Index end = std::min(rows_, (task + 1) * each);
    for (Index first = task * each; first < end; first += kBlock) {
      const MatrixView block = some(first, std::min(end, first + kBlock));
      if (!w.empty()) simd::kernels().row_dots(block, w.data(), numbers.data());
      for (Index i = 0; i < block.rows; ++i) numbers[at(i)] = turn(first + i, numbers[at(i)]);
      simd::kernels().column_dots(block, numbers.data(), sums[at(task)].data());
    }
  });
  return total(sums);
}

MatrixView LinearRows::some(Index first, Index last) const {
  return MatrixView::row_major(dense(first), last - first, cols_);
}

std::vector<double> LinearRows::combination(std::span<const double> beta, Pool& pool) const {
  if (!sparse_) return turned_scores({}, [&](Index i, double) { return beta[at(i)]; }, pool);
  const auto sums = partial_sums<double>(pool, [&](Index i, double* sum) {
    if (beta[at(i)] != 0) add_to(i, beta[at(i)], sum);
  });
  return total(sums);
}

void LinearRows::scores(std::span<const Index> rows, std::span<const double> w, std::vector<double>& f,
                        Pool& pool) const {
  const Index count = std::ssize(rows);
  f.resize(rows.size());
  pool.run((count + kRowsAtOnce - 1) / kRowsAtOnce, [&](Index task, int) {
    for (Index k = task * kRowsAtOnce; k < std::min(count, (task + 1) * kRowsAtOnce); ++k)
      f[at(k)] = dot(rows[at(k)], w.data());
  });
}

std::vector<double> LinearRows::combination(std::span<const Index> rows, std::span<const double> beta,
                                            Pool& pool) const {
  // Parts that have fewer numbers than there are columns would take longer to add up than to make.
  const Index count = std::ssize(rows), full = numbers() / std::max<Index>(1, 8 * cols_);
  const Index parts = std::clamp<Index>(std::min(count / kRowsAtOnce, full), 1, kPartialSums);
  const Index each = (count + parts - 1) / parts;
  std::vector<std::vector<double>> sums(at(parts));
  pool.run(parts, [&](Index task, int) {
    sums[at(task)].assign(at(cols_), 0);
    for (Index k = task * each; k < std::min(count, (task + 1) * each); ++k)
      add_to(rows[at(k)], beta[at(k)], sums[at(task)].data());
  });
  return total(sums);
}

std::vector<double> LinearRows::column_squares(Pool& pool) const {
  return total(
      partial_sums<double>(pool, [&](Index i, double* sum) { each(i, [&](Index j, double x) { sum[j] += x * x; }); }));
}

std::vector<double> LinearRows::lacking(std::span<const double> w, std::span<const double> beta, Pool& pool) const {
  const auto sums = partial_sums<CompensatedSum>(pool, [&](Index i, CompensatedSum* sum) {
    if (beta[at(i)] != 0) each(i, [&](Index j, double x) { sum[j].add_product(beta[at(i)], x); });
  });
  std::vector<double> out(w.begin(), w.end());
  for (std::size_t j = 0; j < out.size(); ++j) {
    DoubleDouble total(w[j]);
    for (const auto& sum : sums) total = total - sum[j].total();
    out[j] = total.hi;
  }
  return out;
}

void LinearRows::products(std::span<const Index> rows, double* gram, Pool& pool) const {
  const Index k = std::ssize(rows);
  if (!sparse_) return dense_products(rows, gram, pool);
  // By column, the rows that have a number there, in ascending order: only those meet.
  std::vector<Index> start(at(cols_ + 1));
  for (const Index i : rows) each(i, [&](Index j, double) { ++start[at(j + 1)]; });
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<std::pair<Index, double>> column(at(start.back()));
  std::vector<Index> next(start.begin(), start.end() - 1);
  for (Index a = 0; a < k; ++a) each(rows[at(a)], [&](Index j, double x) { column[at(next[at(j)]++)] = {a, x}; });
  pool.run(k, [&](Index a, int) {
    std::fill_n(gram + a * k, a + 1, 0.0);
    each(rows[at(a)], [&](Index j, double x) {
      for (Index s = start[at(j)]; s < start[at(j + 1)] && column[at(s)].first <= a; ++s)
        gram[a * k + column[at(s)].first] += x * column[at(s)].second;
    });
  });
}

// Some columns at a time, so that the rows asked for are never copied as a whole.
void LinearRows::dense_products(std::span<const Index> rows, double* gram, Pool& pool) const {
  constexpr Index kColumns = 512, kRows = 128;
  const Index k = std::ssize(rows);
  std::vector<double> tile(at(std::min(kColumns, cols_) * k));
  for (Index from = 0; from < cols_; from += kColumns) {
    const Index width = std::min(kColumns, cols_ - from);
    for (Index a = 0; a < k; ++a) std::copy_n(dense(rows[at(a)]) + from, width, tile.data() + a * width);
    pool.run((k + kRows - 1) / kRows, [&](Index task, int) {
      const Index first = task * kRows, last = std::min(k, first + kRows);
      const blas::ConstMatrix before{tile.data(), width, last}, own{tile.data() + first * width, width, last - first};
      blas::gemm(1, blas::transposed(before), own, from == 0 ? 0 : 1, {gram + first * k, last, last - first, k});
    });
  }
}

} // namespace recta::svm
