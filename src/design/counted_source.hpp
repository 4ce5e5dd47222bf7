// A source whose rows are all in memory: claiming a block is counting. The rows may be one shard of more, starting at
// first_row, a multiple of the block's rows; blocks and rows are then numbered within the whole.
#pragma once

#include "design/row_source.hpp"

#include <algorithm>

namespace recta {

class CountedSource : public RowSource {
public:
  CountedSource(Index rows, Index cols, Index targets, Index first_row = 0)
      : rows_(rows), cols_(cols), targets_(targets), block_rows_(block_rows(cols)), first_row_(first_row) {}

  Index cols() const final { return cols_; }
  Index targets() const final { return targets_; }
  std::optional<Index> rows() const final { return rows_; }

  std::unique_ptr<BlockScratch> scratch() const final { return std::make_unique<Number>(); }
  Result<std::optional<Index>> claim(BlockScratch& scratch) final {
    if (next_ * block_rows_ >= rows_) return std::optional<Index>{};
    if (next_ == 0) prepare();
    static_cast<Number&>(scratch).block = next_;
    return std::optional{first_row_ / block_rows_ + next_++};
  }
  Result<Batch> load(BlockScratch& scratch) const final {
    const Index first = static_cast<const Number&>(scratch).block * block_rows_;
    Batch out = batch(first, std::min(block_rows_, rows_ - first));
    out.first_row = first_row_ + first;
    return out;
  }
  Result<void> rewind() final {
    next_ = 0;
    return {};
  }

protected:
  virtual void prepare() {} // before the first block
  virtual Batch batch(Index first, Index count) const = 0;

private:
  struct Number : BlockScratch {
    Index block = 0;
  };
  Index rows_, cols_, targets_, block_rows_, first_row_;
  Index next_ = 0;
};

} // namespace recta
