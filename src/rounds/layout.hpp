// The places of the parts of a table among its blocks. A block that lies in one part is gathered there; blocks that lie
// across the border of two parts, a few rows, are gathered by the machine that asks.
#pragma once

#include "feature/table_source.hpp"

#include <utility>
#include <vector>

namespace recta::rounds {

class Layout {
public:
  Layout() = default;
  // `first_row`: of every part, in order, then the number of all rows.
  Layout(std::vector<Index> first_row, Index block_rows) : first_row_(std::move(first_row)), block_(block_rows) {}

  Index parts() const { return std::ssize(first_row_) - 1; }
  Index rows() const { return first_row_.back(); }
  Index blocks() const { return (rows() + block_ - 1) / block_; }
  // The rows of a part that are whole blocks, or the end of the table.
  feature::PartOfTable whole_blocks(Index part) const;
  // Rows of the blocks that no part has whole, [first, end).
  std::vector<std::pair<Index, Index>> between() const;

private:
  std::vector<Index> first_row_;
  Index block_ = 1;
};

} // namespace recta::rounds
