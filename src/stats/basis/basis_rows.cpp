#include "stats/basis/basis_rows.hpp"

#include <ranges>

namespace recta {

// Goes from the last column to the first: the terms are earlier columns, which are still unchanged.
bool BasisRows::replace(double* x, double* low) const {
  for (const Basis::Column& each : std::views::reverse(basis_.columns)) {
    DoubleDouble u = DoubleDouble(x[each.column], low[each.column]) - each.constant;
    for (const auto& [k, c] : each.terms)
      if (x[k] != 0) u -= low[k] == 0 ? c * x[k] : c * DoubleDouble(x[k], low[k]);
    x[each.column] = u.hi;
    low[each.column] = u.lo;
  }
  return true;
}

} // namespace recta
