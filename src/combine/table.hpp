// Rows gathered once, so that every part of a combined model is fitted to some of them with labels of its own.
#pragma once

#include "driver/first_pass.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace recta::combine {

struct Table {
  bool sparse = false;
  Index rows = 0, cols = 0;
  std::vector<double> x{}, low{};         // dense, by row; low is empty if no number needs it
  std::vector<std::int64_t> start, index; // sparse, by row
  std::vector<double> value;
  std::vector<double> weight, offset; // offset is empty if there is none
  std::vector<Index> place;           // the class of each row; empty if it has none
  std::vector<Index> number;          // of each row among all rows of the data, from 0

  Index numbers() const { return std::ssize(sparse ? value : x); } // that are stored
  Table some(std::span<const Index> kept) const;
  // The rows as a source whose target is y. Table and y outlive it.
  std::unique_ptr<RowSource> source(const std::vector<double>& y) const;
};

// Whether rows are better left where they are: they stream past, or stand elsewhere.
inline bool stay_in_place(const Rows& rows) {
  return rows.source.rounds() || !rows.source.rows();
}

// All rows that weigh anything; `use` sees each of them as it is added.
Result<Table> gathered(const Rows& rows, const std::function<void(const Batch&, Index i)>& use);
// With the classes of the rows.
Result<Table> gathered(const Classes& classes, const Rows& rows);

} // namespace recta::combine
