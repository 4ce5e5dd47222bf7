// The inner loops of the statistics over rows, one table per instruction set. Rows are stored row by row, `stride`
// numbers apart; a panel is eight columns of centred rows side by side: number (i, j) is at panel[8 i + j].
#pragma once

#include "base/simd/kernels.hpp"

namespace recta {

inline constexpr Index kPanel = 8;

struct RowsView {
  const double* x = nullptr;
  Index stride = 0, rows = 0;
};

inline constexpr Index kRun = 32; // rows whose gradient terms are summed straight

struct Panels {
  const double* data;
  Index stride, rows;
};
struct OutPanels { // `stride` numbers from each to the next
  double* data;
  Index stride;
};
struct PanelBlock { // panels [i0, i1) x [j0, j1) of a product
  Index i0, i1, j0, j1;
};
struct Ahead {
  const char *from = nullptr, *end = nullptr;
};

struct Chosen { // columns, ascending
  const Index* column;
  Index count;
};

struct ResidualRows {
  const double *y, *offset, *dot, *dot_low, *v;
  double b, b_low;
};
struct ResidualLanes {
  double sum[8] = {}, sum_error[8] = {}, squares[8] = {}, squares_error[8] = {};
};

struct GradientSums {
  double *high, *low, *abs;
};

struct StatsKernels {
  // sums[j] += sum_i v_i (x_ij - shift_j); without weights: all one.
  void (*column_sums)(RowsView rows, Index cols, const double* shift, const double* weight, double* sums);

  // Copies columns of `rows`, minus `shift`, times `root` (square roots of weights; null: one), into panels, and
  // sums[j] += sum_i root_i * panel_ij. Columns up to the next multiple of eight are set to zero.
  void (*pack)(RowsView rows, Index cols, const double* shift, const double* root, OutPanels panels, double* sums);

  // c(i, j) += sum_r panel(r, i) panel(r, j) for the lower triangle inside a block of panels; c is by column, `size`
  // its number of rows and columns and the distance between columns. Above the diagonal c is changed only inside the
  // panels that the diagonal passes through. `ahead` is memory that will be read next: it is prefetched meanwhile.
  void (*syrk)(const Panels& panels, PanelBlock block, double* c, Index size, Ahead ahead);

  // One column of two Gram matrices joined: a_i += b_i + d_i f, all in double-double.
  void (*join)(Index n, simd::Pairs a, simd::ConstPairs b, simd::ConstPairs d, double f, double f_low);

  // sum[i] + error[i] = <x_i, w + w_low>, compensated (Ogita, Rump, Oishi 2005, Dot2, in each of eight lanes).
  // Prefetches the rows kRun further on.
  void (*row_dots)(RowsView rows, Index cols, const double* w, const double* w_low, double* sum, double* error);

  // The same over at most kRun rows whose columns are `stride` apart, using the columns with non-zero weight: the bits
  // are those of row_dots.
  void (*row_dots_by_column)(RowsView rows, Chosen used, const double* w, const double* w_low, double* sum,
                             double* error);

  // Transposes: out[i * stride + j] = x[j * column_stride + i].
  void (*rows_of_columns)(const double* x, Index column_stride, Index rows, Index cols, double* out, Index stride);

  // For up to kRun rows, a multiple of eight: r = y - offset - b - dot in double-double, vr = v r rounded; v r and v
  // r^2 are added to sums kept apart in eight lanes with their errors.
  void (*residuals)(Index rows, const ResidualRows& in, double* vr, ResidualLanes& lanes);

  // g_j += sum_i vr_i (x_ij - c_j), a_j += sum_i |vr_i| |x_ij - c_j| over at most kRun rows: the rows are summed in
  // double, and their sum is added to g in double-double.
  void (*gradient)(RowsView rows, Index cols, const double* centre, const double* vr, GradientSums to);
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
