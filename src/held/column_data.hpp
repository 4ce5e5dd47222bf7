// All rows in memory by column, for solvers that work column by column: the caller's own memory if it is by column
// already, else one copy.
#pragma once

#include "base/double_double.hpp"
#include "driver/first_pass.hpp"

#include <recta/matrix.hpp>

#include <variant>

namespace recta {

class ColumnData {
public:
  // One pass, unless the rows are columns of the caller.
  static Result<ColumnData> make(const Rows& rows, Pool& pool, const Watch& watch);

  const std::variant<MatrixView, SparseView>& x() const { return x_; } // sparse: by column
  std::span<const double> y(Index target) const;                       // offsets taken off
  std::span<const double> weight() const { return weight_; }           // empty: all one
  Index passes() const { return passes_; }
  DoubleDouble mean(Index j) const; // weighted
  DoubleDouble target_mean(Index target) const;

private:
  void take_outcome(const Arrays& arrays);
  double weight_of(Index i) const { return weight_.empty() ? 1 : weight_[i]; }

  friend class ColumnReader;
  Index rows_ = 0, passes_ = 0;
  std::variant<MatrixView, SparseView> x_;
  std::vector<double> y_; // by column
  std::vector<double> weight_;
  DoubleDouble weight_sum_ = 0.0;
  Values dense_;
  std::vector<Index> start_, index_;
  Values value_;
};

} // namespace recta
