// Sums and sums of squares of the numbers in compressed lines, in double-double, each in the order of its numbers.
// Several lines are processed side by side, one per lane: lanes are independent, so every instruction set gives the
// same bits.
#pragma once

#include <recta/error.hpp>

namespace recta {

struct LineSums { // one number per line, high and low parts
  double *sum, *sum_low, *squares, *squares_low;
};

// Line l is value[start[l]] up to value[start[l + 1]].
void line_sums(const double* value, const Index* start, Index lines, const LineSums& out);

namespace baseline {
void line_sums(const double* value, const Index* start, Index lines, const LineSums& out);
}
#if defined(__x86_64__)
namespace avx2 {
void line_sums(const double* value, const Index* start, Index lines, const LineSums& out);
}
namespace avx512 {
void line_sums(const double* value, const Index* start, Index lines, const LineSums& out);
}
#endif

} // namespace recta
