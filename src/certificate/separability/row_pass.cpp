#include "certificate/separability/row_pass.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "stats/row_check.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta::separation {
namespace {

class Reader {
public:
  explicit Reader(const Batch& batch) : batch_(batch), buffer_(static_cast<std::size_t>(batch.cols())) {}

  RowNumbers row(Index i) {
    if (const auto* dense = std::get_if<MatrixView>(&batch_.x)) {
      if (dense->scalar == Scalar::float64 && dense->col_stride == 1)
        return {{static_cast<const double*>(dense->data) + i * dense->row_stride, buffer_.size()}, {}};
      const Index one[1] = {i};
      gather(*dense, one, buffer_.data(), dense->cols);
      return {buffer_, {}};
    }
    const SparseRow sparse = sparse_row(std::get<SparseView>(batch_.x), i);
    index_.resize(static_cast<std::size_t>(sparse.count));
    for (Index s = 0; s < sparse.count; ++s) index_[static_cast<std::size_t>(s)] = sparse.column(s);
    return {{sparse.value, index_.size()}, index_};
  }

private:
  const Batch& batch_;
  std::vector<double> buffer_;
  std::vector<Index> index_;
};

} // namespace

Result<void> for_each_row(const LabelledRows& rows, const Watch& watch,
                          const std::function<bool(Index, const RowNumbers&)>& visit) {
  if (auto begun = rows.source.rewind(); !begun) return begun;
  const auto scratch = rows.source.scratch();
  for (;;) {
    const auto block = rows.source.claim(*scratch);
    if (!block) return std::unexpected(block.error());
    if (!*block) return {};
    const auto batch = rows.source.load(*scratch);
    if (!batch) return std::unexpected(batch.error());
    if (watch && !watch({.stage = "certifying", .fraction = -1}))
      return fail(ErrorCode::interrupted, "separability", "stopped before it was proved");
    Reader reader(*batch);
    for (Index i = 0; i < batch->rows(); ++i)
      if (rows.sign[static_cast<std::size_t>(batch->first_row + i)] != 0)
        if (!visit(batch->first_row + i, reader.row(i))) return {};
  }
}

Result<std::map<Index, std::vector<double>>> points_of(const LabelledRows& rows, const std::vector<Index>& numbers,
                                                       const Watch& watch) {
  std::map<Index, std::vector<double>> points;
  const auto p = static_cast<std::size_t>(rows.source.cols());
  for (const Index row : numbers) points[row].assign(p + (rows.constant ? 1 : 0), 0);
  if (points.empty()) return points;
  auto next = points.begin();
  const auto read = for_each_row(rows, watch, [&](Index row, const RowNumbers& x) {
    if (row != next->first) return true;
    const double sign = rows.sign[static_cast<std::size_t>(row)];
    for (std::size_t s = 0; s < x.value.size(); ++s)
      next->second[static_cast<std::size_t>(x.column(s))] = sign * x.value[s];
    if (rows.constant) next->second[p] = sign;
    return ++next != points.end();
  });
  if (!read) return std::unexpected(read.error());
  return points;
}

// n u / (1 - n u) times the sum of absolute products, with a little for its own rounding and for underflow.
Bounded bounded_dot(std::span<const double> w, const RowNumbers& x) {
  double sum = 0, size = 0;
  for (std::size_t s = 0; s < x.value.size(); ++s) {
    const double term = w[static_cast<std::size_t>(x.column(s))] * x.value[s];
    sum += term;
    size += std::abs(term);
  }
  const double n = static_cast<double>(x.value.size()) + 2;
  return {sum, 1.01 * n * kUnit * size + n * std::numeric_limits<double>::min()};
}

Bounded careful_dot(std::span<const double> w, const RowNumbers& x, double b) {
  double sum = b, low = 0, size = std::abs(b);
  bool exact = true;
  for (std::size_t s = 0; s < x.value.size(); ++s) {
    const double factor = w[static_cast<std::size_t>(x.column(s))];
    const DoubleDouble product = two_prod(factor, x.value[s]), next = two_sum(sum, product.hi);
    const bool whole = factor == 0 || x.value[s] == 0 || std::abs(product.hi) > 0x1p-968; // its rest is no underflow
    exact = exact && whole && product.lo == 0 && next.lo == 0;
    sum = next.hi, low += product.lo + next.lo;
    size += std::abs(product.hi);
  }
  if (exact) return {sum, 0};
  const double n = static_cast<double>(x.value.size()) + 3, value = std::isfinite(low) ? sum + low : sum;
  return {value,
          kUnit * std::abs(value) + 1.01 * n * n * kUnit * kUnit * size + n * std::numeric_limits<double>::min()};
}

} // namespace recta::separation
