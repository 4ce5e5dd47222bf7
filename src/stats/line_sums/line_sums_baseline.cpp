// line_sums() in plain C++: for every machine, and the lines that fill no register on the others.
#include "base/double_double.hpp"
#include "stats/line_sums/line_sums.hpp"

namespace recta::baseline {

void line_sums(const double* value, const Index* start, Index lines, const LineSums& out) {
  for (Index l = 0; l < lines; ++l) {
    DoubleDouble sum = 0.0, squares = 0.0;
    for (Index s = start[l]; s < start[l + 1]; ++s) {
      sum += value[s];
      squares += two_prod(value[s], value[s]);
    }
    out.sum[l] = sum.hi, out.sum_low[l] = sum.lo;
    out.squares[l] = squares.hi, out.squares_low[l] = squares.lo;
  }
}

} // namespace recta::baseline
