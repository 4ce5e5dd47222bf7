// Rows collected in memory, weighted by sqrt(v), about given centres and in given units, for methods that work on rows
// rather than on sums. Takes twice the data while they are gathered.
#pragma once

#include "stats/accumulator.hpp"

#include <memory>
#include <vector>

namespace recta {

struct RowUnits {
  std::vector<double> centre; // p + k
  std::vector<double> length; // p: a column is divided by this; 0: the column is left out as zeros
};

struct CollectedRows {
  struct Block {
    Index rows = 0;
    std::vector<double> x, y; // row by row
  };
  Index cols = 0, targets = 0;
  std::shared_ptr<const RowUnits> units;
  std::vector<std::shared_ptr<const Block>> blocks; // in the order of the rows

  CollectedRows() = default;
  CollectedRows(Index cols, Index targets, RowUnits units);

  void accumulate(const Batch& batch);
  void merge(const CollectedRows& other);
  std::string to_bytes() const;
  static Result<CollectedRows> from_bytes(std::string_view bytes); // without the units

  Block together() const;
};

} // namespace recta
