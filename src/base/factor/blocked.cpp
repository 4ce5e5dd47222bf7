#include "base/factor/blocked.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <cblas.h>
#include <lapacke.h>

namespace recta {
namespace {

constexpr Index kPanel = 128; // rows of R made at a time
constexpr Index kTile = 256;  // columns of one update

// R12 = R11^-T A12 and A22 -= R12' R12, by tiles of columns. Tile t needs every panel tile left of it, so the panel is
// finished before the updates begin.
void update(double* a, Index size, Index first, Index width, Pool* pool) {
  const Index begin = first + width;
  const Index tiles = (size - begin + kTile - 1) / kTile;
  const double* r11 = a + first + first * size;
  run_listening(pool, tiles, [&](Index t, int) {
    const Index c = begin + t * kTile, cols = std::min(kTile, size - c);
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit, narrow(width), narrow(cols), 1.0, r11,
                narrow(size), a + first + c * size, narrow(size));
  });
  run_listening(pool, tiles, [&](Index place, int) {
    const Index t = tiles - 1 - place; // the tallest first, so that the threads end together
    const Index c = begin + t * kTile, cols = std::min(kTile, size - c);
    const double* panel = a + first + c * size;
    if (c > begin)
      cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, narrow(c - begin), narrow(cols), narrow(width), -1.0,
                  a + first + begin * size, narrow(size), panel, narrow(size), 1.0, a + begin + c * size, narrow(size));
    cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, narrow(cols), narrow(width), -1.0, panel, narrow(size), 1.0,
                a + c + c * size, narrow(size));
  });
}

} // namespace

void run_over(Pool* pool, Index tasks, const std::function<void(Index, int)>& task) {
  if (pool != nullptr)
    pool->run(tasks, task);
  else
    for (Index t = 0; t < tasks; ++t) task(t, 0);
}

// Columns [c, c + w) of R^-1 are R^-1 applied to unit vectors: nothing lies below row c + w.
std::vector<double> inverse_row_squares(const double* r, Index size, Pool* pool) {
  const Index groups = (size + kPanel - 1) / kPanel;
  std::vector<std::vector<double>> sums(groups);
  run_listening(pool, groups, [&](Index place, int) {
    const Index g = groups - 1 - place, c = g * kPanel, width = std::min(kPanel, size - c), rows = c + width;
    std::vector<double> x(rows * width, 0.0);
    for (Index i = 0; i < width; ++i) x[c + i + i * rows] = 1;
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, narrow(rows), narrow(width), 1.0, r,
                narrow(size), x.data(), narrow(rows));
    sums[g].assign(rows, 0.0);
    for (Index j = 0; j < width; ++j)
      for (Index i = 0; i < rows; ++i) sums[g][i] += x[i + j * rows] * x[i + j * rows];
  });
  std::vector<double> squares(size, 0.0);
  for (const auto& sum : sums)
    for (std::size_t i = 0; i < sum.size(); ++i) squares[i] += sum[i];
  return squares;
}

bool blocked_cholesky(double* a, Index size, Pool* pool) {
  if (size <= 1000) return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', narrow(size), a, narrow(size)) == 0;
  for (Index first = 0; first < size; first += kPanel) {
    const Index width = std::min(kPanel, size - first);
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', narrow(width), a + first + first * size, narrow(size)) != 0)
      return false;
    if (first + width < size) update(a, size, first, width, pool);
  }
  return true;
}

} // namespace recta
