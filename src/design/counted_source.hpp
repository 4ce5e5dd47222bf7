// A source whose rows are all in memory: claiming a block is counting.
#pragma once

#include "design/row_source.hpp"

#include <algorithm>

namespace recta {

class CountedSource : public RowSource {
public:
  CountedSource(Index rows, Index cols, Index targets)
      : rows_(rows), cols_(cols), targets_(targets), block_rows_(block_rows(cols)) {}

  Index cols() const final { return cols_; }
  Index targets() const final { return targets_; }
  std::optional<Index> rows() const final { return rows_; }

  std::unique_ptr<BlockScratch> scratch() const final { return std::make_unique<Number>(); }
  Result<std::optional<Index>> claim(BlockScratch& scratch) final {
    if (next_ * block_rows_ >= rows_) return std::optional<Index>{};
    static_cast<Number&>(scratch).block = next_;
    return std::optional{next_++};
  }
  Result<Batch> load(BlockScratch& scratch) const final {
    const Index first = static_cast<const Number&>(scratch).block * block_rows_;
    return batch(first, std::min(block_rows_, rows_ - first));
  }
  Result<void> rewind() final {
    next_ = 0;
    return {};
  }

protected:
  virtual Batch batch(Index first, Index count) const = 0;

private:
  struct Number : BlockScratch {
    Index block = 0;
  };
  Index rows_, cols_, targets_, block_rows_;
  Index next_ = 0;
};

} // namespace recta
