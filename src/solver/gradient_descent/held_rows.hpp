// Rows kept as their blocks were loaded, for learners that visit single rows in any order. The caller's arrays stay
// where they are; blocks that had to be encoded are kept encoded. This is also a source of rows itself, so that passes
// over them encode nothing again.
//
// A row is seen as `x` (dense, contiguous) or as `value` and `index` (sparse). Dense numbers in another layout (by
// column, in float32) are copied by row once, or left in place for a reader that can use them so.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"

#include <recta/dataset.hpp>

#include <vector>

namespace recta {

struct DenseRows {
  struct Block {
    const double* x; // null: the numbers have another layout
    Index stride;    // between two rows
    const void* data = nullptr;
    Index across = 1; // between two columns
    bool single = false;
  };
  std::vector<Block> blocks;
  int shift = 0; // rows in a block: 2^shift
  Index cols = 0;
};

template <class I>
struct SparseRows {
  struct Block {
    const I* start;
    const I* index;
    const double* value;
  };
  std::vector<Block> blocks;
  int shift = 0;
  Index cols = 0;
};

using SeenRows = std::variant<DenseRows, SparseRows<std::int32_t>, SparseRows<std::int64_t>>;

enum class Dense : std::uint8_t { by_row, as_it_lies };

class HeldRows final : public RowSource {
public:
  // Reads the source from its beginning to its end, with a pool several blocks at a time. The source must outlive the
  // held rows.
  static Result<std::unique_ptr<HeldRows>> hold(RowSource& source, Dense dense = Dense::by_row, Pool* pool = nullptr);
  // Holds a single block, whose memory the caller must keep.
  static std::unique_ptr<HeldRows> one(const Batch& batch);

  Index cols() const override { return cols_; }
  Index targets() const override { return targets_; }
  std::optional<Index> rows() const override { return rows_; }
  std::unique_ptr<BlockScratch> scratch() const override { return std::make_unique<Number>(); }
  Result<std::optional<Index>> claim(BlockScratch& scratch) override {
    if (next_ == static_cast<Index>(batches_.size())) return std::optional<Index>{};
    static_cast<Number&>(scratch).block = next_;
    return std::optional{next_++};
  }
  Result<Batch> load(BlockScratch& scratch) const override {
    return batches_[static_cast<std::size_t>(static_cast<const Number&>(scratch).block)];
  }
  Result<void> rewind() override {
    next_ = 0;
    return {};
  }

  const SeenRows& seen() const { return seen_; }
  const std::vector<double>& weight() const { return weight_; } // empty: all one
  const std::vector<double>& offset() const { return offset_; } // empty: all zero
  std::vector<double> target(Index t) const;

private:
  struct Number : BlockScratch {
    Index block = 0;
  };
  void keep(std::unique_ptr<BlockScratch> scratch, const Batch& batch, Values copy);
  void see();

  std::vector<std::unique_ptr<BlockScratch>> scratches_;
  std::vector<Batch> batches_;
  std::vector<Values> copies_;
  std::vector<double> weight_, offset_;
  SeenRows seen_;
  Index cols_ = 0, targets_ = 0, rows_ = 0, next_ = 0;
};

} // namespace recta
