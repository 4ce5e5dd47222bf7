// The memory that a worker holds while it encodes a block.
#pragma once

#include "design/row_source.hpp"
#include "feature/encode.hpp"

namespace recta::feature {

struct EncodingScratch : BlockScratch {
  Index number = 0; // of the claimed block
  EncodedBlock block;
  Dataset gathered; // the rows of a block of a view
  std::vector<RowRun> runs{};
};

} // namespace recta::feature
