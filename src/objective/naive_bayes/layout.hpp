// Which likelihood each column has in naive Bayes, and where its sums over the rows are kept.
//
//   P(k | x) is proportional to P(k) prod_j P(x_j | k), one factor per column or bag of columns
//
// Cells are sums over the rows of one class, with the weights v_i of the rows. Of a factor with n columns they are
//
//   gaussian     n sums of v where x_j is there, n means, n sums of v (x_j - mean_j)^2
//   bernoulli    n sums of v where x_j <= threshold, n sums of v where x_j > threshold
//   categorical  one sum of v per level: of each 0/1 column, or of each value of one column of numbers
//   multinomial, complement   n sums of v x_j; all columns of this kind are one bag of counts
#pragma once

#include "objective/naive_bayes/kernels.hpp"

#include <recta/error.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace recta::naive_bayes {

enum class Likelihood : std::uint8_t { gaussian, categorical, bernoulli, multinomial, complement };

std::string_view name(Likelihood kind);

// The columns [first, first + count) of the design.
struct Factor {
  Likelihood kind = Likelihood::gaussian;
  Index first = 0, count = 0;
  std::vector<double> levels{}; // categorical, one column of numbers: its values, ascending; else empty
  Index cell = 0;               // its first cell
  bool coded = false;           // the levels are 0, 1, 2, ...

  Index cells() const;
  // The level that a number stands for; -1 if it is none of them.
  Index level(double x) const {
    if (!coded) return find_level(x);
    const bool inside = x >= 0 && x < static_cast<double>(levels.size());
    const Index place = inside ? static_cast<Index>(x) : -1;
    return static_cast<double>(place) == x ? place : -1;
  }
  Index find_level(double x) const;
  bool operator==(const Factor&) const = default;
};

struct Layout {
  Index columns = 0, classes = 0, cells = 0;
  std::vector<Factor> factors;
  double threshold = 0;       // of bernoulli
  bool skips_missing = false; // NaN is a missing value; else it is an error

  void add(Factor factor);
  bool has(Likelihood kind) const;
  Index variables(const Factor& factor) const; // how many variables it is: columns, or one
  bool operator==(const Layout&) const = default;
};

// Whether dense rows are summed as ClassedRows: all columns are gaussian, and the sums of the classes stay in the
// nearest cache.
bool summed_by_class(const Layout& layout);
inline Index padded_columns(const Layout& layout) {
  return (layout.columns + 7) / 8 * 8;
}

// Neighbouring columns of codes 0, 1, 2, ..., whose cells are found many at a time.
struct CodedRun {
  Index first = 0, columns = 0;
  double other = 0;                   // the cell for whatever is no code: one beyond those of the layout
  std::vector<double> cell{}, size{}; // the first cell of each column, and how many it has

  bool cells_of(const double* row, std::uint32_t* cells) const {
    return kernels().coded_cells(row + first, columns, {cell.data(), size.data(), other}, cells);
  }
};
// Empty if there are so many cells that going through all of them after a block would cost more than it saves: then
// every factor finds its levels by itself.
std::vector<CodedRun> coded_runs(const Layout& layout);

// The blocks of sparse rows that one thread adds to one state before states are merged: the longer the state, the more
// of them, since clearing and merging it must not take longer than counting. 0: it is so long that there is only one,
// whose columns the threads share.
Index blocks_per_state(const Layout& layout);

// Sums over rows. Cells lie class after class.
struct Counts {
  Index rows = 0;             // of positive weight
  std::vector<double> weight; // of each class
  std::vector<double> cells;

  Counts() = default;
  explicit Counts(const Layout& layout);
  double* of_class(const Layout& layout, Index k) { return cells.data() + k * layout.cells; }
  const double* of_class(const Layout& layout, Index k) const { return cells.data() + k * layout.cells; }
};

// The weight of the zeros of a column that sparse rows do not store: the whole less all others, of which the rounding
// of that many rows, in twice the digits of a double, may be all that is left.
double zeros_of(double whole, double zeros, Index rows);

// Weight, mean and sum of squares about the mean.
struct Moments {
  double weight = 0, mean = 0, scatter = 0;

  void merge(const Moments& other);
};
// Those of the column number j of a gaussian factor.
Moments moments_of(const Factor& factor, Index j, const double* cells);

// All classes as one.
Counts pooled(const Layout& layout, const Counts& counts);

} // namespace recta::naive_bayes
