// One pass over the rows for the proof of an answer (w, b): the loss, a dual point d, and how far both are apart.
//
//   z = x'w + b + o in double-double,   d = -l'(z) - c (q_b + <q, x - m> + rho (d0 - t)),   c = l''(z), d0 = -l'(z)
//
// into the domain of the conjugate. Every d_i is a double, or two if it was moved, and as such exact. What rounding can
// have done, and a further move of d_i by at most c_i |D a_i| beta, a = (1, x - m), is in `slack` (loss/row_loss.hpp):
//
//   z is off by its dot product (stats/present_block.hpp), by what b is, by 3 u^2 of each of the two sums that follow,
//   and by u of itself as it is rounded to a double; y - z by the same, but rounded by u of y - z. Sums in
//   double-double are relative to what they come to (base/double_double.hpp): where no column counts, nothing else is
//   lost. exp, log and log1p of the loss are off by what base/elementary.hpp says, and each step by u.
//
// With D = 1 / sqrt(diag) of the Gram of curvatures that is enough room for d to meet its constraints exactly:
// certify.hpp. Sums of d and d x are compensated, their errors below 2^-80 of the sums of absolute values.
#pragma once

#include "base/double_double.hpp"
#include "certificate/loss/said_constant.hpp"
#include "objective/loss/objective.hpp"
#include "stats/gram/gram.hpp"
#include "stats/present_block.hpp"

namespace recta {

struct DualPoint {
  std::shared_ptr<const loss::RowLoss> loss;
  std::vector<double> w, w_low;         // low: empty for zeros
  double b = 0, b_low = 0, b_error = 0; // b_error: of both, at most
  double z_error = 0; // z of a row of weight v may be off by z_error / sqrt(v), besides what is always allowed for
  std::vector<double> q, centre; // p; empty: zero
  double q_b = 0, rho = 0, t = 0;
  std::vector<double> d; // D of the columns that are to be met exactly, 0 for the others; empty: all zero
  double d_b = 0;        // and of the intercept
  double beta = 0;
  double spare = 0;                        // the cost allowed per row for being put onto the edge of the domain
  std::vector<SaidConstant> constant = {}; // see said_constant.hpp
  bool bound_value = false;                // value_at_most as well
  bool scale = false;                      // one more column, d0, in the Gram
  bool gather = false;                     // the Gram
  bool gaps = true;                        // what d is worth; else the slack is infinite
  Index run = 1;                           // blocks that share a state
};

struct DualSums : Saved<DualSums> {
  static constexpr double kRounding = 0x1p-80;

  std::shared_ptr<const DualPoint> point;
  Index cols = 0, rows = 0;
  DoubleDouble weight, value, gap, sum; // W, sum v l, sum v fenchel_young, sum v d
  double value_at_most = 0;             // upper bound of the exact sum v l
  DoubleDouble squares;                 // sum v d^2
  double slack = 0, sum_abs = 0;        // sum v |d|
  double curved = 0;                    // sum v c
  DoubleDouble residual_squares;        // sum v (y - mean)^2
  double size = 0;                      // sum v c (|y| + |z|)^2, for the least that doubles can tell apart
  double right = 0;                     // labels -1 and 1: sum v where z is on the side of y, 0 on that of 1
  std::vector<double> gradient, gradient_low, gradient_abs; // p: sum v d x_j
  std::vector<Index> varying;                               // per column said to be constant: numbers that are another
  Gram gram;

  DualSums() = default;
  explicit DualSums(std::shared_ptr<const DualPoint> at);

  DoubleDouble product(Index j) const { return {gradient[j], gradient_low[j]}; }

  struct Workspace {
    PresentBlock block;
    std::vector<double> z, z_low, y, off, d, d_low, c, v_d, v_d_low, move, gap, worst, along;
    loss::LossRows rows() const { return {block.rows(), y.data(), z.data(), block.v.data(), off.data()}; }
    Gram::Workspace gram;
  };
  void accumulate(const Batch& batch);
  void accumulate(const Batch& batch, Workspace& room);
  void merge(const DualSums& other);
  static constexpr std::string_view kTag = "dual", kName = "dual point of a loss";
  // Without the point.
  static void fields(auto& s, auto& io) {
    io(s.cols, s.rows);
    io.each(io.size(s.varying), s.varying);
    io(s.weight, s.value, s.gap, s.sum, s.squares, s.residual_squares);
    io(s.value_at_most, s.slack, s.sum_abs, s.size, s.right, s.curved);
    io.require(s.rows >= 0);
    io.numbers(s.cols, s.gradient, s.gradient_low, s.gradient_abs);
    io.state(s.gram);
    io.require(s.gram.cols == s.cols);
  }
  bool finite() const { return true; } // the rows were looked at before

  Index leaf_blocks() const { return point->gather ? gram.leaf_blocks() : 1; }
  Index run_blocks() const { return point->run; }
  void accumulate(const Batch& batch, Pool& pool);
  void merge(const DualSums& other, Pool& pool);

private:
  void read(const Batch& batch, Workspace& room);
  void make_dual(Workspace& room);
  bool inside(double y, const DoubleDouble& d) const;
  void moves(Workspace& room) const;
  void add_rows(Workspace& room);
  Batch weighted(Workspace& room) const;
  void merge_sums(const DualSums& other);
};

} // namespace recta
