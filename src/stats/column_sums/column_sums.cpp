#include "stats/column_sums/column_sums.hpp"

#include "base/numbers.hpp"
#include "base/simd/kernels.hpp"
#include "design/csc/csc_columns.hpp"
#include "stats/line_sums/line_sums.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr Index kColumnsAtATime = 32; // columns at a time

void add(DoubleDouble& sum, DoubleDouble& squares, double v, double x) {
  const DoubleDouble weighted = v == 1 ? DoubleDouble(x) : two_prod(v, x);
  sum += weighted;
  squares += v == 1 ? two_prod(x, x) : weighted * x;
}
void add(DoubleDouble& sum, DoubleDouble& squares, double v, DoubleDouble z) {
  const DoubleDouble weighted = z * v;
  sum += weighted;
  squares += weighted * z;
}

} // namespace

ColumnSums::ColumnSums(Index p, Index k) : cols(p), targets(k), sum(p + k), squares(p + k) {}

DoubleDouble ColumnSums::spread(Index z, DoubleDouble its_mean) const {
  const DoubleDouble about = squares[z] - sum[z] * its_mean; // the square of a sum may overflow
  return about.hi > 64 * kUnit * kUnit * squares[z].hi ? about : DoubleDouble(0.0);
}

double ColumnSums::deviation(Index z) const {
  return sqrt(spread(z) / weight).hi;
}

bool ColumnSums::constant(Index z, bool centred) const {
  return centred ? !(spread(z).hi > 0) : !(squares[z].hi > 0);
}

// Adds column after column, by the kernels: compensated sums of v x and of (v x) x, with v x kept as an exact pair.
// Columns that are not contiguous are copied, a few at a time.
void ColumnSums::add_columns(const MatrixView& x, std::span<const double> weights, Index first, Index count) {
  const auto n = static_cast<std::size_t>(x.rows);
  const bool in_place = stands_by_column(x);
  std::vector<double> copy(in_place ? 0 : n * static_cast<std::size_t>(count)), high(weights.size()),
      low(weights.size());
  MatrixView tile = columns_of(x, first, count);
  if (!in_place) {
    simd::kernels().centred_copy(tile, nullptr, nullptr, copy.data(), 1, x.rows);
    tile = MatrixView::col_major(copy.data(), x.rows, count);
  }
  for (Index j = first; j < first + count; ++j) {
    const MatrixView one = columns_of(tile, j - first, 1);
    const auto* column = static_cast<const double*>(one.data);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const DoubleDouble product = two_prod(weights[i], column[i]);
      high[i] = product.hi, low[i] = product.lo;
    }
    const simd::ConstPairs ones{weights.empty() ? nullptr : weights.data(), nullptr};
    const simd::ConstPairs weighted =
        weights.empty() ? simd::ConstPairs{column, nullptr} : simd::ConstPairs{high.data(), low.data()};
    simd::kernels().column_dots2(one, ones, {&sum[j].hi, &sum[j].lo});
    simd::kernels().column_dots2(one, weighted, {&squares[j].hi, &squares[j].lo});
  }
}

// Rows of weight zero may hold anything: if there are some, rows are taken one after the other.
bool ColumnSums::by_columns(const Batch& batch) {
  const auto* dense = std::get_if<MatrixView>(&batch.x);
  return dense != nullptr && dense->low == nullptr && std::ranges::find(batch.weight, 0.0) == batch.weight.end();
}

void ColumnSums::accumulate(const Batch& batch) {
  const bool whole = by_columns(batch);
  for (Index first = 0; whole && first < cols; first += kColumnsAtATime)
    add_columns(std::get<MatrixView>(batch.x), batch.weight, first, std::min(kColumnsAtATime, cols - first));
  add_rows(batch, !whole);
}

void ColumnSums::accumulate(const Batch& batch, Pool& pool) {
  if (!by_columns(batch)) return accumulate(batch);
  pool.run((cols + kColumnsAtATime - 1) / kColumnsAtATime, [&](Index tile, int) {
    add_columns(std::get<MatrixView>(batch.x), batch.weight, tile * kColumnsAtATime,
                std::min(kColumnsAtATime, cols - tile * kColumnsAtATime));
  });
  add_rows(batch, false);
}

void ColumnSums::accumulate_columns(const Batch& columns, Pool& pool) {
  constexpr Index kColumns = 1024; // per task
  const auto& x = std::get<SparseView>(columns.x);
  pool.run((cols + kColumns - 1) / kColumns, [&](Index part, int) {
    const Index first = part * kColumns, end = std::min(cols, first + kColumns);
    if (columns.weight.empty()) return add_compressed(x, first, end);
    for (Index j = first; j < end; ++j)
      each_in_column(x, j, [&](Index i, double value) {
        if (const double v = columns.weight.empty() ? 1 : columns.weight[i]; v > 0) add(sum[j], squares[j], v, value);
      });
  });
  add_rows(columns, false);
}

// Adds columns without weights to sums that are still empty.
void ColumnSums::add_compressed(const SparseView& x, Index first, Index end) {
  std::vector<Index> start;
  for (Index j = first; j <= end; ++j) start.push_back(line_start(x, j));
  const Index count = end - first;
  std::vector<double> sums(4 * static_cast<std::size_t>(count));
  double* const at = sums.data();
  line_sums(x.value, start.data(), count, {at, at + count, at + 2 * count, at + 3 * count});
  for (Index l = 0; l < count; ++l) {
    sum[first + l] += DoubleDouble(at[l], at[l + count]);
    squares[first + l] += DoubleDouble(at[l + 2 * count], at[l + 3 * count]);
  }
}

void ColumnSums::add_rows(const Batch& batch, bool features) {
  end_row = std::max(end_row, batch.first_row + batch.rows());
  const auto* dense = std::get_if<MatrixView>(&batch.x);
  if (features && dense == nullptr)
    simd::kernels().sparse_column_squares(std::get<SparseView>(batch.x),
                                          batch.weight.empty() ? nullptr : batch.weight.data(), &sum[0].hi,
                                          &squares[0].hi);
  if (batch.weight.empty()) weight += static_cast<double>(batch.rows());
  for (const Index i : present_rows(batch)) {
    const double v = batch.weight.empty() ? 1 : batch.weight[i];
    ++rows;
    if (!batch.weight.empty()) weight += v;
    if (features && dense != nullptr) {
      for (Index j = 0; j < cols; ++j)
        add(sum[j], squares[j], v, two_sum(element(*dense, i, j), element_low(*dense, i, j)));
    }
    const double offset = batch.offset.empty() ? 0 : batch.offset[i];
    for (Index t = 0; t < targets; ++t)
      add(sum[cols + t], squares[cols + t], v, two_sum(element(batch.target, i, t), -offset));
  }
}

bool ColumnSums::finite() const {
  return std::ranges::all_of(squares, [](const DoubleDouble& square) { return std::isfinite(square.hi); });
}

void ColumnSums::merge(const ColumnSums& other) {
  rows += other.rows;
  end_row = std::max(end_row, other.end_row);
  weight += other.weight;
  for (Index z = 0; z < size(); ++z) {
    sum[z] += other.sum[z];
    squares[z] += other.squares[z];
  }
}

} // namespace recta
