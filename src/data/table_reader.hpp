// A table already in memory, served block by block: built-in sets, and files whose layout allows nothing better.
#pragma once

#include "data/block_reader.hpp"

#include <recta/dataset.hpp>

namespace recta {

// Rows [first, first + count) of `from`, into the memory of `to`. Levels of categories stay those of the table.
void slice_rows(const Dataset& from, Index first, Index count, Dataset& to);

std::unique_ptr<BlockReader> stream_table(Dataset table, Index block_rows);

} // namespace recta
