#include "certificate/least_squares/column_sums.hpp"

#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr double kUnit = 0x1p-53;

void add(DoubleDouble& sum, DoubleDouble& squares, double v, DoubleDouble z) {
  const DoubleDouble weighted = z * v;
  sum += weighted;
  squares += weighted * z;
}

} // namespace

ColumnSums::ColumnSums(Index p, Index k) : cols(p), targets(k), sum(p + k), squares(p + k) {}

DoubleDouble ColumnSums::spread(Index z) const {
  const DoubleDouble about = squares[z] - sum[z] * sum[z] / weight;
  return about.hi > 64 * kUnit * kUnit * squares[z].hi ? about : DoubleDouble(0.0);
}

double ColumnSums::deviation(Index z) const {
  return sqrt(spread(z) / weight).hi;
}

bool ColumnSums::constant(Index z, bool centred) const {
  return centred ? !(spread(z).hi > 0) : !(squares[z].hi > 0);
}

void ColumnSums::accumulate(const Batch& batch) {
  end_row = std::max(end_row, batch.first_row + batch.rows());
  for (const Index i : present_rows(batch)) {
    const double v = batch.weight.empty() ? 1 : batch.weight[i];
    ++rows;
    weight += v;
    if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
      for (Index j = 0; j < cols; ++j)
        add(sum[j], squares[j], v, two_sum(element(*dense, i, j), element_low(*dense, i, j)));
    } else {
      const SparseRow row = sparse_row(std::get<SparseView>(batch.x), i);
      for (Index s = 0; s < row.count; ++s) add(sum[row.column(s)], squares[row.column(s)], v, row.value[s]);
    }
    const double offset = batch.offset.empty() ? 0 : batch.offset[i];
    for (Index t = 0; t < targets; ++t)
      add(sum[cols + t], squares[cols + t], v, two_sum(element(batch.target, i, t), -offset));
  }
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

std::string ColumnSums::to_bytes() const {
  StateWriter out("sums");
  out.put(cols);
  out.put(targets);
  out.put(rows);
  out.put(end_row);
  std::vector<double> numbers{weight.hi, weight.lo};
  for (Index z = 0; z < size(); ++z)
    numbers.insert(numbers.end(), {sum[z].hi, sum[z].lo, squares[z].hi, squares[z].lo});
  out.put(numbers);
  return out.take();
}

Result<ColumnSums> ColumnSums::from_bytes(std::string_view bytes) {
  StateReader in("sums", bytes);
  const Index p = in.index(), k = in.index(), n = in.index(), end = in.index();
  const auto possible = [&](Index x) { return x >= 0 && x <= static_cast<Index>(bytes.size()); };
  in.require(possible(p) && possible(k) && n >= 0 && end >= n);
  if (!in.good()) return damaged_state("column sums");
  const std::vector<double> numbers = in.numbers(2 + 4 * (p + k));
  if (!in.done()) return damaged_state("column sums");
  ColumnSums out(p, k);
  out.rows = n;
  out.end_row = end;
  out.weight = {numbers[0], numbers[1]};
  for (Index z = 0; z < p + k; ++z) {
    const double* at = &numbers[2 + 4 * z];
    out.sum[z] = {at[0], at[1]};
    out.squares[z] = {at[2], at[3]};
  }
  return out;
}

} // namespace recta
