// The rows that a model of another program was trained on, with features by their numbers as its files have them.
#pragma once

#include <recta/foreign.hpp>

namespace recta::foreign {

struct NumberedRows {
  std::string source = "arrays";
  Index base = 1, cols = 0;             // the feature of number n is column n - base
  std::vector<Index> start{0}, index{}; // ascending in a row
  std::vector<double> value{};
  std::vector<double> y{}, weight{}; // y is empty if there is no target

  Index count() const { return static_cast<Index>(start.size()) - 1; }
  SparseView view() const;
  double number(Index row, Index feature) const; // by its number; 0 if it is not stored
  void widen(const ForeignModel& model);         // columns that only the model has are zero in every row

  static Result<NumberedRows> from(const Dataset& data, const ForeignOptions& options, bool target);
  static Result<NumberedRows> from(const Arrays& arrays);
};

// Some of the rows as a fit takes them: dense where most numbers are not zero. `bias`: one more column of this number;
// below zero: none.
struct SomeRows {
  Index rows = 0, cols = 0;
  std::vector<double> dense{};
  std::vector<Index> start{0}, index{};
  std::vector<double> value{};
  std::vector<double> y{}, weight{};

  SomeRows(const NumberedRows& all, const std::vector<Index>& chosen, std::vector<double> targets, double bias = -1);
  // The matrix of the kernel of all rows, from the features of number 1, 2, 3, ...
  static SomeRows kernel(const NumberedRows& all, const std::vector<Index>& chosen, std::vector<double> targets);
  Arrays arrays() const;
  double total() const;

private:
  SomeRows() = default;
};

} // namespace recta::foreign
