// The rows once more, one after the other, as the judge reads them.
#pragma once

#include "certificate/separability/certify.hpp"

#include <functional>
#include <map>
#include <optional>

namespace recta::separation {

// The numbers of a row: `index` is empty if every column has one.
struct RowNumbers {
  std::span<const double> value;
  std::span<const Index> index;
  Index column(std::size_t s) const { return index.empty() ? static_cast<Index>(s) : index[s]; }
};

// Every row that is there, with its number. Stops at the first that is not wanted any more (false).
Result<void> for_each_row(const LabelledRows& rows, const Watch& watch,
                          const std::function<bool(Index row, const RowNumbers& x)>& visit);

// sign times the rows named, the constant last if there is one; by row number.
Result<std::map<Index, std::vector<double>>> points_of(const LabelledRows& rows, const std::vector<Index>& numbers,
                                                       const Watch& watch);

// A product with a bound on its error.
struct Bounded {
  double value = 0, error = 0;
};
Bounded bounded_dot(std::span<const double> w, const RowNumbers& x);               // plain sums
Bounded careful_dot(std::span<const double> w, const RowNumbers& x, double b = 0); // compensated ones, of b + <w, x>

} // namespace recta::separation
