#include "base/transpose.hpp"

#include <algorithm>

namespace recta {
namespace {

constexpr Index kSquare = 32;

} // namespace

void write_by_row(const double* by_column, Index rows, Index cols, double* by_row) {
  for (Index i0 = 0; i0 < rows; i0 += kSquare)
    for (Index j0 = 0; j0 < cols; j0 += kSquare)
      for (Index i = i0; i < std::min(rows, i0 + kSquare); ++i)
        for (Index j = j0; j < std::min(cols, j0 + kSquare); ++j) by_row[i * cols + j] = by_column[j * rows + i];
}

// The longest strips come first, so that threads end together.
void mirror_upper(double* a, Index n, Pool& pool) {
  const Index strips = (n + kSquare - 1) / kSquare;
  pool.run(strips, [&](Index task, int) {
    const Index j0 = (strips - 1 - task) * kSquare, j1 = std::min(n, j0 + kSquare);
    for (Index i0 = 0; i0 <= j0; i0 += kSquare)
      for (Index i = i0; i < std::min(j1, i0 + kSquare); ++i)
        for (Index j = std::max(j0, i + 1); j < j1; ++j) a[i * n + j] = a[j * n + i];
  });
}

} // namespace recta
