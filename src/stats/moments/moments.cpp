#include "stats/moments/moments.hpp"

#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace recta {

double ColumnMoments::variance() const {
  return weight.hi > 0 ? (scatter / weight).hi : 0;
}

void ColumnMoments::add(double value, double v) {
  if (std::isnan(value)) {
    ++missing;
    return;
  }
  if (std::isinf(value)) {
    ++infinite;
    return;
  }
  ++count;
  zeros += value == 0 ? 1 : 0;
  least = std::min(least, value);
  largest = std::max(largest, value);
  if (!(weight.hi > 0)) { // as it is, so that equal numbers keep a scatter of zero whatever they weigh
    weight = v, mean = value;
    return;
  }
  const DoubleDouble before = weight;
  weight += v;
  const DoubleDouble step = DoubleDouble(value) - mean, move = step * v / weight;
  mean += move;
  scatter += move * step * before;
}

void ColumnMoments::add_zeros(Index rows, DoubleDouble v) {
  if (rows == 0) return;
  ColumnMoments all;
  all.count = all.zeros = rows;
  all.weight = v;
  all.least = all.largest = 0;
  merge(all);
}

void ColumnMoments::merge(const ColumnMoments& other) {
  missing += other.missing;
  infinite += other.infinite;
  if (other.count == 0) return;
  count += other.count;
  zeros += other.zeros;
  least = std::min(least, other.least);
  largest = std::max(largest, other.largest);
  if (!(weight.hi > 0)) {
    weight = other.weight, mean = other.mean, scatter = other.scatter;
    return;
  }
  const DoubleDouble before = weight;
  weight += other.weight;
  const DoubleDouble step = other.mean - mean, move = step * other.weight / weight;
  mean += move;
  scatter += other.scatter + move * step * before;
}

Moments::Moments(Index columns_of_x, Index target_columns)
    : cols(columns_of_x), targets(target_columns), columns(static_cast<std::size_t>(cols + targets)) {}

void Moments::accumulate(const Batch& batch) {
  const std::vector<Index> rows = present_rows(batch);
  const auto weight = [&](Index i) { return batch.weight.empty() ? 1 : batch.weight[static_cast<std::size_t>(i)]; };
  if (const auto* x = std::get_if<MatrixView>(&batch.x)) {
    for (const Index i : rows)
      for (Index j = 0; j < cols; ++j) columns[static_cast<std::size_t>(j)].add(element(*x, i, j), weight(i));
  } else {
    const auto& sparse = std::get<SparseView>(batch.x);
    std::vector<ColumnMoments> stored(static_cast<std::size_t>(cols));
    std::vector<DoubleDouble> stored_weight(stored.size()); // weight of the rows that store something in the column
    DoubleDouble all;
    for (const Index i : rows) {
      all += weight(i);
      const SparseRow row = sparse_row(sparse, i);
      for (Index s = 0; s < row.count; ++s) {
        stored[static_cast<std::size_t>(row.column(s))].add(row.value[s], weight(i));
        stored_weight[static_cast<std::size_t>(row.column(s))] += weight(i);
      }
    }
    for (std::size_t j = 0; j < stored.size(); ++j) {
      const Index there = stored[j].count + stored[j].missing + stored[j].infinite;
      stored[j].add_zeros(static_cast<Index>(rows.size()) - there, all - stored_weight[j]);
      columns[j].merge(stored[j]);
    }
  }
  for (const Index i : rows)
    for (Index k = 0; k < targets; ++k) {
      const double offset = batch.offset.empty() ? 0 : batch.offset[static_cast<std::size_t>(i)];
      columns[static_cast<std::size_t>(cols + k)].add(element(batch.target, i, k) - offset, weight(i));
    }
}

void Moments::merge(const Moments& other) {
  for (std::size_t j = 0; j < columns.size(); ++j) columns[j].merge(other.columns[j]);
}

bool Moments::same_kind(const Moments& other) const {
  return cols == other.cols && targets == other.targets;
}

} // namespace recta
