// Rows in memory for tests: a matrix, targets, and optionally weights and offsets.
#pragma once

#include "design/row_source.hpp"

#include <algorithm>
#include <vector>

namespace recta::testing {

struct Rows : RowSource {
  Index n = 0, p = 0, k = 1;
  std::vector<double> x, x_low, y, weights, offset; // x and y row by row
  bool once = false;
  bool sparse = false; // served as compressed rows without their zeros

  struct Scratch : BlockScratch {
    Index block = 0;
    std::vector<Index> start, index;
    std::vector<double> value;
  };
  Index next = 0;

  Rows(Index rows, Index features, std::vector<double> numbers, std::vector<double> targets, Index outputs = 1)
      : n(rows), p(features), k(outputs), x(std::move(numbers)), y(std::move(targets)) {}

  Index cols() const override { return p; }
  Index targets() const override { return k; }
  std::optional<Index> rows() const override { return n; }
  std::unique_ptr<BlockScratch> scratch() const override { return std::make_unique<Scratch>(); }
  Result<std::optional<Index>> claim(BlockScratch& scratch) override {
    if (next * block_rows(p) >= n) return std::nullopt;
    static_cast<Scratch&>(scratch).block = next;
    return next++;
  }
  Result<Batch> load(BlockScratch& scratch) const override {
    const Index first = static_cast<Scratch&>(scratch).block * block_rows(p);
    const Index count = std::min(block_rows(p), n - first);
    MatrixView view = MatrixView::row_major(x.data() + first * p, count, p);
    if (!x_low.empty()) view.low = x_low.data() + first * p;
    Batch batch{view, MatrixView::row_major(y.data() + first * k, count, k), {}, {}, first};
    if (sparse) batch.x = compressed(first, count, static_cast<Scratch&>(scratch));
    if (!weights.empty()) batch.weight = {weights.data() + first, static_cast<std::size_t>(count)};
    if (!offset.empty()) batch.offset = {offset.data() + first, static_cast<std::size_t>(count)};
    return batch;
  }
  SparseView compressed(Index first, Index count, Scratch& s) const {
    s.start.assign(1, 0);
    s.index.clear();
    s.value.clear();
    for (Index i = 0; i < count; ++i) {
      for (Index j = 0; j < p; ++j)
        if (const double v = x[(first + i) * p + j]; v != 0) {
          s.index.push_back(j);
          s.value.push_back(v);
        }
      s.start.push_back(static_cast<Index>(s.index.size()));
    }
    SparseView view;
    view.rows = count;
    view.cols = p;
    view.start = s.start.data();
    view.index = s.index.data();
    view.value = s.value.data();
    return view;
  }
  Result<void> rewind() override {
    if (once) return fail(ErrorCode::usage, "rows", "they can be read only once");
    next = 0;
    return {};
  }
};

} // namespace recta::testing
