// Rows of a table in memory: all of them, or those of a list in its order. No row is copied: a fold is a view.
#pragma once

#include <recta/dataset.hpp>

#include <span>

namespace recta {

class TableView {
public:
  // Table and list outlive the view.
  TableView(const Dataset& table) : table_(&table) {} // implicit: a table is a view of itself
  TableView(const Dataset& table, const std::vector<Index>& rows) : table_(&table), list_(&rows) {}

  const Dataset& table() const { return *table_; } // for its columns; the rows are those that row() names
  bool is_whole() const { return list_ == nullptr; }
  Index rows() const { return list_ ? static_cast<Index>(list_->size()) : table_->rows; }
  Index row(Index i) const { return list_ ? (*list_)[static_cast<std::size_t>(i)] : i; } // its place in the table
  std::span<const Index> places(Index first, Index count) const {                        // of a list
    return std::span(*list_).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  }

private:
  const Dataset* table_;
  const std::vector<Index>* list_ = nullptr;
};

// Rows of a table that follow each other.
struct RowRun {
  Index first, length;
};
void find_runs(std::span<const Index> rows, std::vector<RowRun>& runs);
// Copies the numbers of `runs`, `count` in all, from a column of `rows` numbers. Folds leave short runs,
// which are copied eight numbers at a time: the next run writes over those that are too many.
void copy_runs(const double* column, Index rows, std::span<const RowRun> runs, double* out, Index count);

// Copies the numbers, codes or texts of some rows over those of `to`, whose memory is kept. Codes stay those of the
// table, and `to` has its levels from copy_levels().
void gather(const Column& from, std::span<const Index> rows, Column& to);
void gather(const SparseColumns& from, std::span<const Index> rows, SparseColumns& to);
Column copy_levels(const Column& from); // a column without rows

// The rows of a table that take_rows() gives, of a table that was checked.
Dataset copy_rows(const Dataset& table, std::span<const Index> rows);

// A table of some rows and of the columns at `columns`, each once; the other columns keep their names and have no rows.
// As with take_rows(), levels that none of the rows has are gone.
Dataset take_columns(const Dataset& table, std::span<const Index> rows, const std::vector<Index>& columns);

} // namespace recta
