// The inner loops over numbers, compiled once per instruction set, behind one table of functions.
//
// Every level gives the same bits: each kernel is written over packs of eight virtual lanes (one register of AVX-512,
// two of AVX2, four of NEON, an array in the scalar level), a*b+c is one fma everywhere, and eight lanes are summed
// by one tree, ((0+4)+(2+6)) + ((1+5)+(3+7)). Sums over columns keep lane j mod 8, sums over rows lane i mod 8, so
// layout does not change bits either: row order, column order, slices and float32 (widened) agree. A stored zero and
// an absent number agree as long as the factors are finite.
//
// To add a kernel: a member here, its body in body/, a line in table.hpp.
#pragma once

#include <recta/matrix.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recta::simd {

inline constexpr Index kLanes = 8;

// A vector of numbers as high and low parts; `low` may be null where the text says so.
struct Pairs {
  double* high;
  double* low;
};
struct ConstPairs {
  const double* high;
  const double* low;
};

// Panels of eight columns side by side, or sixteen of floats, one after the other: `stride` numbers from each to the
// next.
template <class Number>
struct PanelsOf {
  const Number* first;
  Index stride, count;
};
using Panels = PanelsOf<double>;
using FloatPanels = PanelsOf<float>;
inline constexpr Index kFloatLanes = 16;

// Rows of numbers, `stride` numbers from each to the next, and rows that results are written to.
template <class Number>
struct RowsOf {
  const Number* first;
  Index rows, cols, stride;
};
template <class Number>
struct OutRowsOf {
  Number* first;
  Index stride;
};
using DoubleRows = RowsOf<double>;
using FloatRows = RowsOf<float>;
using DoubleOutRows = OutRowsOf<double>;
using FloatOutRows = OutRowsOf<float>;

struct Kernels {
  // z_i = sum_j x_ij w_j. Never reads x.low.
  void (*row_dots)(const MatrixView& x, const double* w, double* z);
  // The same, and returns the largest |x_ij|, as largest_size does except for x.low.
  double (*row_dots_and_largest)(const MatrixView& x, const double* w, double* z);
  // The same, compensated (Ogita, Rump, Oishi 2005, Dot2, in each lane): high + low has relative error about p^2 u^2
  // times the condition of the sum. Uses x.low and w.low if not null; both outputs are written.
  void (*row_dots2)(const MatrixView& x, ConstPairs w, Pairs z);

  // g_j += sum_i r_i x_ij; r null: all ones. Never reads x.low.
  void (*column_dots)(const MatrixView& x, const double* r, double* g);
  // The same, compensated, added to g in double-double. Uses x.low and r.low if not null.
  void (*column_dots2)(const MatrixView& x, ConstPairs r, Pairs g);
  // g_j += sum_i |r_i| |x_ij - centre_j|; centre null: zero.
  void (*column_abs_dots)(const MatrixView& x, const double* r, const double* centre, double* g);

  // The same for compressed rows (by_row only). Row products have the bits of the dense kernels. Column products go row
  // after row, since lanes for every column would cost more than the data; column_dots2 keeps sum and error apart in
  // g.high and g.low.
  void (*sparse_row_dots)(const SparseView& x, const double* w, double* z);
  void (*sparse_row_dots2)(const SparseView& x, ConstPairs w, Pairs z);
  void (*sparse_column_dots)(const SparseView& x, const double* r, double* g);
  void (*sparse_column_dots2)(const SparseView& x, ConstPairs r, Pairs g);
  void (*sparse_column_abs_dots)(const SparseView& x, const double* r, double* g); // sum |r_i| |x_ij|

  // sum_j += sum_i v_i x_ij and square_j += sum_i v_i x_ij^2, every product and sum in double-double, high and low side
  // by side. v null: all ones. Rows of weight zero are not read. by_row only.
  void (*sparse_column_squares)(const SparseView& x, const double* v, double* sum, double* square);

  // out_ij = (x_ij - centre_j) * scale_i, rounded after each step; null: no centring, no scaling. out has element
  // (i, j) at i * row_stride + j * col_stride, one of which is 1. Never reads x.low.
  void (*centred_copy)(const MatrixView& x, const double* centre, const double* scale, double* out, Index row_stride,
                       Index col_stride);

  // Whether every number is finite, neither infinite nor NaN. x.low is checked too.
  bool (*all_finite)(const MatrixView& x);
  // The largest |x_ij|, for finite numbers; 0 if there are none. x.low is included.
  double (*largest_size)(const MatrixView& x);

  // e_i = exp(-|z_i|), within one unit of the last place; NaN for NaN; e may be z.
  void (*exp_minus_abs)(Index n, const double* z, double* e);
  // Replaces products v_k = <x, z_k> by exp(-gamma |x - z_k|^2), |x - z_k|^2 = max(0, (square + squares_k) - 2 v_k).
  void (*gaussians)(Index n, double gamma, double square, const double* squares, double* values);
  // The same of floats, within 2^-22 and 2^-23 gamma (square + squares_k): for searches whose answer is checked.
  void (*float_gaussians)(Index n, float gamma, float square, const float* squares, float* values);
  // cos x within 2^-51 of it, for |x| <= 2^20 and nothing else; `out` may not be x.
  void (*cosines)(Index n, const double* x, double* out);
  // Writes 1 / (1 + exp(-z_i)) to out_2i if first, otherwise to out_2i+1, and its complement to 1 beside it. The
  // smaller of the two is below 1/2 unless z_i is 0. NaN for NaN.
  void (*two_probabilities)(Index n, const double* z, bool first, double* out);

  // a_i += b_i in double-double; b.low null: zero.
  void (*dd_add)(Index n, Pairs a, ConstPairs b);
  // The lower triangle, by column with `stride` between columns: c_ij += d_i d_j (f + f_low), i >= j.
  void (*dd_rank_one)(Index n, ConstPairs d, double f, double f_low, Pairs c, Index stride);
  // c_ij += sum over rows of x_ri x_rj, i >= j, every product and sum in double-double. x: rows in order, `cols`
  // numbers apart; x.low may be null. c as in dd_rank_one.
  void (*dd_gram)(Index rows, Index cols, ConstPairs x, Pairs c, Index stride);

  // out_ik = sum_j x_ij panel_jk, k < 8: every number one chain of fma in the order of j, whatever the number of rows.
  // panel: `cols` times eight numbers.
  void (*panel_products)(DoubleRows x, const double* panel, DoubleOutRows out);
  // The same numbers for many panels: those of panel q in out_i,8q+k. Faster than one panel after the other.
  void (*many_panel_products)(DoubleRows x, const Panels& panels, DoubleOutRows out);

  // The same of floats, in panels of sixteen.
  void (*many_float_panel_products)(FloatRows x, const FloatPanels& panels, FloatOutRows out);

  // out_i += sum_k by_k rows_k,i, one fma after the other in the order of k; of floats, widened.
  void (*add_multiples)(Index n, Index count, const double* const* rows, const double* by, double* out);
  void (*add_float_multiples)(Index n, Index count, const float* const* rows, const double* by, double* out);

  // sums_r = sum_k beta_k v_rk and sizes_r = sum_k |beta_k v_rk|, each in eight sums side by side.
  void (*term_sums)(DoubleRows values, const double* beta, double* sums, double* sizes);

  // out_k = sum_j (query_j - x_ij)^2 for the rows i of a list. x: rows of floats, `cols` apart.
  void (*list_distances)(const double* query, const float* x, Index cols, const std::uint32_t* list, Index count,
                         double* out);
};

enum class Level : std::uint8_t { scalar, avx2, avx512, neon };

std::string_view name(Level level);
std::vector<Level> levels(); // those this machine has, best last
Level level();               // in use: the best, or what RECTA_SIMD=scalar|avx2|avx512|neon asks for
// The error in RECTA_SIMD, empty if there is none; if there is one, the best level is used.
std::string complaint();
// Chooses a level for the whole process; false if the machine lacks it. For tests and for finding bugs.
bool force(Level level);

const Kernels& kernels(); // of level()

} // namespace recta::simd
