// log P(k, x) of rows under naive Bayes: log P(k) and one factor per column, as logarithms.
//
// A missing value and a value that is no level skip their factor. If no class can have a row, because every one of them
// has a factor of zero, the scores are the prior's: the row says nothing. Every row is scored by itself, in one order
// of its columns, so its bits do not depend on the rows around it.
#pragma once

#include "design/batch.hpp"
#include "objective/naive_bayes/estimates.hpp"

namespace recta::naive_bayes {

class Scorer {
public:
  Scorer() = default;
  Scorer(Layout layout, Estimates estimates);

  const Layout& layout() const { return layout_; }
  const Estimates& estimates() const { return estimates_; }

  // rows x classes, by row. False: some number is none of the levels of its column.
  bool joint(const Batch& rows, double* out) const;
  // Adds what column `j` of a factor adds to the scores of a row that has x there; of a categorical factor without
  // levels, which is several columns, it is the column of the level.
  void add_column(const Factor& factor, Index j, double x, double* s) const;
  // The first number of a row of positive weight that is none of the levels of its column; row -1: there is none.
  struct Stranger {
    Index row = -1, column = 0;
    double value = 0;
  };
  Stranger first_stranger(const Batch& rows) const;

private:
  struct Room { // for kScoredRows rows, scores `width_` apart
    std::vector<double> scores, by_class, turned;
    std::vector<std::uint32_t> cells;
  };
  void code_table();
  bool dense_row(const double* x, double* s) const;
  bool dense_rows(const double* x, Index stride, Room& room, double* out) const; // kScoredRows of them
  bool dense_block(const double* x, Index stride, Index rows, Room& room, double* out) const;
  void all_gaussian_rows(const double* x, Index stride, Room& room, double* out) const;
  void gaussian_columns(const Factor& factor, const double* x, Index stride, Room& room) const;
  void gaussian_rows(const Factor& factor, const double* x, Index stride, Room& room) const;
  bool coded_rows(const CodedRun& run, const double* x, Index stride, Room& room) const;
  bool factor(const Factor& factor, const double* x, double* s) const;
  void bernoulli(const Factor& factor, const double* x, double* s) const;
  bool sparse_row(const SparseView& view, Index i, std::vector<double>& filled, double* s) const;
  void settle(double* s) const;

  Layout layout_;
  Estimates estimates_;
  std::vector<double> zeros_; // of each class: the factors of a row of zeros, of bernoulli columns
  bool finite_zeros_ = true;  // and all of these factors are above zero
  std::vector<Index> factor_of_;
  std::vector<CodedRun> coded_;
  std::vector<double> coded_table_; // of all cells and one more, `width_` numbers each
  Index width_ = 0;                 // classes, up to a multiple of four
  bool only_gaussian_ = false;
  bool together_ = false; // some factors are faster for many rows at once
};

} // namespace recta::naive_bayes
