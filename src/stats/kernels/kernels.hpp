// The inner loops of the statistics over rows, one table an instruction set. Rows lie in memory row by row, `stride`
// numbers apart; a panel is eight columns of centred rows side by side: number (i, j) at panel[8 i + j].
#pragma once

#include <recta/error.hpp>

namespace recta {

inline constexpr Index kPanel = 8;

struct RowsView {
  const double* x = nullptr;
  Index stride = 0, rows = 0;
};

struct StatsKernels {
  // sums[j] += sum_i v_i x_ij; no weights: all one.
  void (*column_sums)(RowsView rows, Index cols, const double* weight, double* sums);

  // Columns of `rows`, less `shift`, times `root` (square roots of weights; null: one) into panels `panel_stride`
  // apart, and sums[j] += sum_i root_i * panel_ij. Columns up to the next multiple of eight are set to zero.
  void (*pack)(RowsView rows, Index cols, const double* shift, const double* root, double* panels, Index panel_stride,
               double* sums);

  // c(i, j) += sum_r panel(r, i) panel(r, j) for the lower triangle inside panels [i0, i1) x [j0, j1); c by column,
  // `size` its rows and columns and the distance of its columns.
  void (*syrk)(const double* panels, Index panel_stride, Index rows, Index i0, Index i1, Index j0, Index j1, double* c,
               Index size);
};

const StatsKernels& stats_kernels(); // of simd::level()

namespace baseline {
extern const StatsKernels kStatsKernels;
}
#if defined(__x86_64__)
namespace avx2 {
extern const StatsKernels kStatsKernels;
}
namespace avx512 {
extern const StatsKernels kStatsKernels;
}
#endif

} // namespace recta
