#include "feature/mapped_source.hpp"

#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace recta::feature {
namespace {

struct MappedScratch : BlockScratch {
  Index number = 0;
  Values x, low, inputs;
};

} // namespace

MappedSource::MappedSource(const MatrixView& x, const Outcome& outcome, const Schema& schema, Maps maps)
    : x_(x), outcome_(outcome), schema_(schema), maps_(std::move(maps)) {
  for (const SchemaColumn& column : schema.columns) plain_ += column.plain ? 1 : 0;
  cols_ = plain_ + maps_.count();
  block_rows_ = recta::block_rows(cols_);
}

std::unique_ptr<BlockScratch> MappedSource::scratch() const {
  return std::make_unique<MappedScratch>();
}

Result<std::optional<Index>> MappedSource::claim(BlockScratch& scratch) {
  if (next_ * block_rows_ >= x_.rows) return std::optional<Index>{};
  static_cast<MappedScratch&>(scratch).number = next_;
  return std::optional{next_++};
}

// Numbers that are not finite stay what they are in plain columns, whose readers refuse them; a map has no answer for
// them.
Result<Batch> MappedSource::load(BlockScratch& scratch) const {
  auto& buffers = static_cast<MappedScratch&>(scratch);
  const Index first = buffers.number * block_rows_, count = std::min(block_rows_, x_.rows - first);
  buffers.x.resize(static_cast<std::size_t>(count * cols_));
  buffers.inputs.resize(static_cast<std::size_t>(count * x_.cols));
  Batch batch;
  attach_outcome(outcome_, first, count, batch);
  batch.first_row = first;
  MapRows rows{{}, count, batch.weight.empty() ? nullptr : batch.weight.data()};
  double* plain = buffers.x.data();
  for (Index j = 0; j < x_.cols; ++j) {
    const auto c = static_cast<std::size_t>(j);
    double* to = schema_.columns[c].plain ? plain : buffers.inputs.data() + j * count;
    if (schema_.columns[c].plain) plain += count;
    for (Index i = 0; i < count; ++i) {
      to[i] = element(x_, first + i, j);
      if (!maps_.reads(c) || std::isfinite(to[i]) || rows.absent(i)) continue;
      return fail(ErrorCode::bad_data, fmt::format("arrays, row {}, column {}", first + i + 1, schema_.columns[c].name),
                  fmt::format("the value is {}", std::isnan(to[i]) ? "missing (NaN)" : "infinite"),
                  "remove the row or correct the value");
    }
    rows.inputs.push_back(to);
  }
  buffers.low.resize(maps_.has_low() ? buffers.x.size() : 0);
  double* low = maps_.has_low() ? buffers.low.data() : nullptr;
  if (low) std::fill_n(low, plain_ * count, 0.0);
  const Index mapped = plain_ * count;
  if (const auto done = maps_.evaluate(rows, buffers.x.data() + mapped, low ? low + mapped : nullptr); !done)
    return fail(ErrorCode::bad_data,
                fmt::format("arrays, row {}, column {}", first + done.error().row + 1, done.error().column),
                done.error().what, done.error().advice);
  batch.x = MatrixView{buffers.x.data(), count, cols_, 1, count, Scalar::float64, low};
  return batch;
}

Result<void> MappedSource::rewind() {
  next_ = 0;
  return {};
}

ValueRange range_of(const MatrixView& x, Index j, std::span<const double> weight) {
  ValueRange range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (Index i = 0; i < x.rows; ++i) {
    const double value = element(x, i, j);
    if (!std::isfinite(value) || (!weight.empty() && !(weight[static_cast<std::size_t>(i)] > 0))) continue;
    range.least = std::min(range.least, value);
    range.largest = std::max(range.largest, value);
  }
  return range;
}

} // namespace recta::feature
