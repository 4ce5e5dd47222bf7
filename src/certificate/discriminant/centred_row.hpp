// One row less the mean of its class, and the compensated sums of such rows, one function per instruction set: all give
// the same bits.
#pragma once

#include <recta/error.hpp>

namespace recta::discriminant {

struct CentredRow {
  const double *x, *mean;
  double weight, root;
};

// apart_j = x_j - mean_j; high_j + low_j += weight apart_j, with the rounding error; out_j = root apart_j. `out` may be
// x.
void add_centred_row(const CentredRow& row, Index columns, double* high, double* low, double* out);

namespace baseline {
void add_centred_row(const CentredRow& row, Index columns, double* high, double* low, double* out);
}
#if defined(__x86_64__)
namespace avx2 {
void add_centred_row(const CentredRow& row, Index columns, double* high, double* low, double* out);
}
namespace avx512 {
void add_centred_row(const CentredRow& row, Index columns, double* high, double* low, double* out);
}
#endif

} // namespace recta::discriminant
