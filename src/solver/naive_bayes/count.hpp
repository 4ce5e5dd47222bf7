// One pass over the rows that gathers the counts of naive Bayes.
//
// Rows of a block are brought together by class, so that the cells of one class are filled by loops without branches:
// sums over columns side by side, and for gaussian columns two loops, first the mean of the block and then the squares
// about it (Chan, Golub, LeVeque 1983 merge them). If the state is longer than a block of sparse rows, neighbouring
// blocks share one. If it is very long, there is only one, and every thread fills a range of columns of it: each cell
// is summed in the order of the rows, so the bits do not depend on the threads. Sums of whole numbers are exact up to
// 2^53.
#pragma once

#include "base/double_double.hpp"
#include "base/pool.hpp"
#include "objective/naive_bayes/layout.hpp"
#include "stats/accumulator.hpp"
#include "stats/aligned.hpp"

#include <recta/model.hpp>

#include <algorithm>
#include <memory>
#include <span>

namespace recta::naive_bayes {

// The first number that the layout cannot take: infinite, negative in a bag of counts, or missing where none may be.
struct BadNumber {
  Index row = -1, column = 0;
  double value = 0;

  void keep_first(const BadNumber& other);
};

class Counting : public Saved<Counting> {
public:
  Counting() = default;
  // Layout and classes outlive it.
  Counting(const Layout& layout, const Classes& classes, bool sparse);

  struct Workspace {
    std::vector<Index> rows;       // of the block, class after class
    std::vector<Index> first;      // of each class among them, and the end
    std::vector<Index> place;      // class of each row of the block; -1: absent
    std::vector<double> x, weight; // of one class
    LargeVector sums;              // of each class and column
    std::vector<double> cells;     // of codes of one class, and one for whatever is no code
    std::vector<std::uint32_t> tally;
  };

  void accumulate(const Batch& batch) {
    Workspace room;
    accumulate(batch, room);
  }
  void accumulate(const Batch& batch, Workspace& room);
  void merge(const Counting& other);
  void accumulate(const Batch& batch, Pool& pool); // sparse rows, all threads
  void merge(const Counting& other, Pool&) { merge(other); }
  Index leaf_blocks() const { return blocks_ == 0 ? Index{1} << 40 : 1; }
  Index run_blocks() const { return std::max<Index>(1, blocks_); }
  bool finite() const { return true; } // bad numbers are kept apart, with their places
  static constexpr std::string_view kTag = "nbay", kName = "counts of naive Bayes";
  static void fields(auto& s, auto& io) {
    io(s.counts_.rows);
    io.counted(s.counts_.weight, s.counts_.cells, s.low_);
    io(s.bad_.row, s.bad_.column, s.bad_.value);
  }

  Counts counts() const; // without cells if there was no row
  Counts take_counts() &&;
  const BadNumber& bad() const { return bad_; }

private:
  void make_room();
  void keep_low();
  void fill_zeros(Counts& out) const;
  void add_to(double& sum, std::size_t place, double term) {
    if (low_.empty()) {
      sum += term;
      return;
    }
    const DoubleDouble s = two_sum(sum, term);
    sum = s.hi;
    low_[place] += s.lo;
  }
  void arrange(const Batch& batch, Workspace& room);
  void dense(const Batch& batch, Workspace& room);
  struct Numbers { // of the rows of one class
    const double* x;
    Index stride;
    bool in_place; // x is that of the block, whose rows of this class room.rows has; else of these rows alone
    bool finite;
    // Of the columns, if they were taken before anybody looked at the numbers: one that is not finite makes a sum that
    // is not, so that rows of gaussian columns need not be read once more to find it. Else null.
    const double* sums;
  };
  void factors(const Batch& batch, const Workspace& room, Index k, std::span<const Factor> factors,
               const Numbers& numbers);
  void coded(Workspace& room, Index k, const Numbers& numbers, bool weighted);
  void sparse(const Batch& batch, const Workspace& room, Index first, Index end, BadNumber& bad);
  void sparse_numbers(const Batch& batch, Workspace& room);

  const Layout* layout_ = nullptr;
  const Classes* classes_ = nullptr;
  Index blocks_ = 1;                                    // of sparse rows, as blocks_per_state() has it
  std::shared_ptr<const std::vector<Index>> factor_of_; // the factor of each column, for sparse rows
  std::shared_ptr<const std::vector<CodedRun>> coded_;  // of dense rows; null: there are none
  Counts counts_; // a state that holds no row yet has no cells: copies of it are short
  // What rounding left over of the weights of the classes, and of the cells; only of weighted sparse rows of bernoulli
  // columns, and empty otherwise.
  std::vector<double> low_;
  BadNumber bad_;
};

} // namespace recta::naive_bayes
