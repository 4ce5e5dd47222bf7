// Rows in numbered blocks of fixed size, from wherever they are: the caller's memory, a table, a file being read.
// The grid of blocks depends on the number of columns alone, never on threads or timing, so every statistic
// gathered over it has the same bits however it was gathered.
#pragma once

#include "design/batch.hpp"

#include <recta/error.hpp>

#include <memory>
#include <optional>

namespace recta {

class Rounds;

// Rows in one block: a power of two, about a megabyte of doubles, never under 256.
Index block_rows(Index cols);

// The memory that one worker needs to hold one block: whatever its Batch points into.
class BlockScratch {
public:
  virtual ~BlockScratch() = default;
};

class RowSource {
public:
  virtual ~RowSource() = default;
  virtual Index cols() const = 0;
  virtual Index targets() const = 0;
  virtual std::optional<Index> rows() const = 0; // nothing: known only at the end

  virtual std::unique_ptr<BlockScratch> scratch() const = 0;
  // Takes the next block. Called by one worker at a time, so a file may be read here. nullopt: no more blocks;
  // otherwise the block's number.
  virtual Result<std::optional<Index>> claim(BlockScratch& scratch) = 0;
  // Makes the claimed block's rows readable. Called by any number of workers at once: parsing and encoding go here.
  virtual Result<Batch> load(BlockScratch& scratch) const = 0;
  virtual Result<void> rewind() = 0; // refused if the rows can be read only once

  // If the rows are elsewhere: how their statistics are gathered. Blocks can then be claimed only while a round is on,
  // and are those of the rows that are here.
  virtual Rounds* rounds() { return nullptr; }

  // All rows at once as the caller's own compressed columns, if the source has them: x is by column, for statistics
  // whose columns are independent of each other. It exists beside the blocks and claims none of them.
  virtual std::optional<Batch> columns() const { return std::nullopt; }
};

// Calls visit(batch), which returns a Result<void>, for all blocks in order on one thread. Stops at an error.
template <class Visit>
Result<void> for_each_batch(RowSource& source, const Visit& visit) {
  if (auto begun = source.rewind(); !begun) return begun;
  const auto scratch = source.scratch();
  for (;;) {
    const auto block = source.claim(*scratch);
    if (!block) return std::unexpected(block.error());
    if (!*block) return {};
    const auto batch = source.load(*scratch);
    if (!batch) return std::unexpected(batch.error());
    if (Result<void> done = visit(*batch); !done) return done;
  }
}

} // namespace recta
