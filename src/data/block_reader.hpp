// Streaming in two steps, so that parsing can run on many threads: claim() cuts the next rows off the input, one
// caller at a time; parse() turns any claimed block into columns and may run on several threads at once.
#pragma once

#include "base/guard.hpp"
#include "data/input.hpp"

#include <recta/dataset.hpp>

#include <algorithm>

namespace recta {

// Rows as bytes: whole rows only.
struct RawBlock {
  ByteVector bytes;
  std::size_t size = 0; // bytes in use; the vector may be longer so that its memory serves again
  Index rows = 0;
  Index first_row = 0; // number of the first row here, from 0
  Index line = 1;      // line of the file on which it begins

  std::string_view view() const { return {bytes.data(), size}; }
};

class BlockReader : public RowStream {
public:
  explicit BlockReader(Index block_rows) : block_rows_(std::max<Index>(1, block_rows)) {}

  // Before the first claim: the grid of blocks is often known only when the columns are.
  void cut_blocks_of(Index rows) { block_rows_ = std::max<Index>(1, rows); }
  // Cuts exactly block_rows rows, fewer only at the end. false: there are no more rows.
  virtual Result<bool> claim(RawBlock& block) = 0;
  // Fills `rows` and reuses its memory. The levels of a category column are those of this block; a column that the
  // sample showed to be integer is real in a block where it is not.
  virtual Result<void> parse(const RawBlock& block, Dataset& rows) const = 0;

  // To the first row. ErrorCode::usage: it can be read only once; anything else is a failure.
  virtual Result<void> restart() = 0;

  Result<void> rewind() final {
    return guarded(header().source, cure::kFree, [&] { return restart(); });
  }
  Result<bool> next(Dataset& block) final {
    return guarded(header().source, cure::kFree, [&]() -> Result<bool> {
      auto more = claim(raw_);
      if (!more || !*more) return more;
      if (auto done = parse(raw_, block); !done) return std::unexpected(done.error());
      return true;
    });
  }

protected:
  Index block_rows_;

private:
  RawBlock raw_;
};

} // namespace recta
