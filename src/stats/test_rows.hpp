// Rows for tests: small tables in memory, served in blocks of any size, whole or as a shard, at once or with a delay.
#pragma once

#include "design/row_source.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace recta::testing {

struct Table {
  Index rows = 0, cols = 0, targets = 1;
  std::vector<double> x, y, weight, offset; // x and y row by row

  // Integers in [-range, range] from a fixed generator.
  static Table integers(Index rows, Index cols, Index range, std::uint64_t seed = 1) {
    Table table{rows, cols, 1, {}, {}, {}, {}};
    std::uint64_t state = seed;
    const auto draw = [&] {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return static_cast<double>(static_cast<Index>((state >> 33) % static_cast<std::uint64_t>(2 * range + 1)) - range);
    };
    for (Index i = 0; i < rows * cols; ++i) table.x.push_back(draw());
    for (Index i = 0; i < rows; ++i) table.y.push_back(draw());
    return table;
  }
  Batch batch(Index first, Index count) const {
    const auto part = [&](const std::vector<double>& v) {
      return v.empty() ? std::span<const double>()
                       : std::span(v).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
    };
    Batch out;
    out.x = MatrixView::row_major(x.data() + first * cols, count, cols);
    out.target = MatrixView::row_major(y.data() + first * targets, count, targets);
    out.weight = part(weight);
    out.offset = part(offset);
    out.first_row = first;
    return out;
  }
  Batch all() const { return batch(0, rows); }
};

// Blocks [begin, end) of a table. `load` may replace the loaded block: to fail, to wait, to copy.
class TableRows : public RowSource {
public:
  TableRows(const Table& table, Index block, Index begin = 0, Index end = -1)
      : table_(table), block_(block), begin_(begin), end_(end < 0 ? (table.rows + block - 1) / block : end),
        next_(begin) {}
  std::function<Result<Batch>(Index block, Batch)> on_load;
  bool known_length = true;

  Index cols() const override { return table_.cols; }
  Index targets() const override { return table_.targets; }
  std::optional<Index> rows() const override { return known_length ? std::optional(table_.rows) : std::nullopt; }
  std::unique_ptr<BlockScratch> scratch() const override { return std::make_unique<Claimed>(); }
  Result<std::optional<Index>> claim(BlockScratch& scratch) override {
    if (next_ >= end_) return std::optional<Index>();
    static_cast<Claimed&>(scratch).block = next_;
    return std::optional(next_++);
  }
  Result<Batch> load(BlockScratch& scratch) const override {
    auto& mine = static_cast<Claimed&>(scratch);
    const Index first = mine.block * block_;
    Batch batch = table_.batch(first, std::min(block_, table_.rows - first));
    if (!known_length) { // as a stream does: the rows live in the scratch only
      const auto& x = std::get<MatrixView>(batch.x);
      const auto* from = static_cast<const double*>(x.data);
      mine.copy.assign(from, from + x.rows * x.cols);
      batch.x = MatrixView::row_major(mine.copy.data(), x.rows, x.cols);
    }
    if (on_load) return on_load(mine.block, batch);
    return batch;
  }
  Result<void> rewind() override {
    next_ = begin_;
    return {};
  }

private:
  struct Claimed : BlockScratch {
    Index block = 0;
    std::vector<double> copy;
  };
  const Table& table_;
  Index block_, begin_, end_, next_;
};

} // namespace recta::testing
