// The places of the parts of a table among its blocks. Blocks that share a state, a leaf (stats/partial.hpp), are
// gathered by the part that they lie in; those that lie across the border of two parts, a few rows, by the machine that
// asks.
#pragma once

#include "feature/table_source.hpp"

#include <utility>
#include <vector>

namespace recta::rounds {

class Layout {
public:
  Layout() = default;
  // `first_row`: of every part, in order, then the number of all rows. `leaf_blocks`: that share a state.
  Layout(std::vector<Index> first_row, Index block_rows, Index leaf_blocks = 1)
      : first_row_(std::move(first_row)), block_(block_rows), leaf_(block_rows * leaf_blocks) {}

  Index parts() const { return std::ssize(first_row_) - 1; }
  Index rows() const { return first_row_.back(); }
  Index blocks() const { return (rows() + block_ - 1) / block_; }
  // The rows of a part that are whole leaves, or the end of the table.
  feature::PartOfTable whole_leaves(Index part) const;
  // Rows of the leaves that no part has whole, [first, end).
  std::vector<std::pair<Index, Index>> between() const;

private:
  std::vector<Index> first_row_;
  Index block_ = 1, leaf_ = 1; // rows
};

} // namespace recta::rounds
