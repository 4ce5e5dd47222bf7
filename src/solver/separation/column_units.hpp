// Rows whose squares and sums are doubles: a column whose largest number is beyond 2^400 or below 2^-400 is multiplied
// by a power of two, which changes no side. Rows are copied if there is such a column, and otherwise used in place.
#pragma once

#include "solver/gradient_descent/held_rows.hpp"

#include <span>
#include <vector>

namespace recta::separation {

class ColumnUnits {
public:
  ColumnUnits(const SeenRows& rows, std::span<const double> sign); // 0: the row is absent

  const SeenRows& rows() const { return changed_ ? scaled_ : rows_; }
  bool changed() const { return changed_; }
  int shift(std::size_t column) const { return shift_[column]; } // the scaled column is x 2^shift

private:
  const SeenRows& rows_;
  SeenRows scaled_;
  std::vector<int> shift_;
  bool changed_ = false;
  std::vector<double> value_;
  std::vector<std::int64_t> start_, index_;
};

} // namespace recta::separation
