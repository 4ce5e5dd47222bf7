// Softmax regression at one point, in one pass over the rows. With z_k = x'w_k + b_k, P_k = e^(z_k) / sum_l e^(z_l) and
// Y_k = 1 for the row's own class:
//
//   sum v (log sum_k e^(z_k) - z_y),   g_k = sum v (P_k - Y_k) x,   sum v (P_k - Y_k)
//
// or, for a direction u, the same sums with Q = P t - P <P, t>, t_k = x'u_k + c_k, in place of P - Y: the product of
// the Hessian with the direction. Classes are targets 0, 1, ..., or -1 and 1 if there are two.
#pragma once

#include "base/pool.hpp"
#include "stats/accumulator.hpp"
#include "stats/present_block.hpp"

#include <memory>
#include <vector>

namespace recta {

inline Index softmax_class(double y, Index classes) {
  return classes == 2 ? (y > 0 ? 1 : 0) : static_cast<Index>(y);
}

// P of one row from its scores, in place; returns log sum_k e^(z_k).
double softmax_of(double* z, Index classes);
// The same for several contiguous rows, vectorised: its last bits may differ. log_sum: one per row.
void softmax_of_rows(double* z, Index rows, Index classes, double* log_sum);
// 1 - p_k with all its digits: if p_k is nearly one, it is the sum of the others.
double other_shares(const double* p, Index classes, Index k);
// Sets shares below `edge` to zero, except that of the row's own class, and adds them to the largest one.
void drop_tail(double* p, Index classes, Index true_class, double edge);

// z_ik = <w_k, x_i> + b_k by row, each rounded once.
void compensated_scores(const PresentBlock& block, const std::vector<double>& w, const std::vector<double>& b,
                        std::vector<double>& z, Pool& pool);

// Shared by all blocks of one pass. Weights are those of the first class, then of the second, and so on.
struct SoftmaxPoint {
  Index classes = 0;
  std::vector<double> w, b;
  std::shared_ptr<const SoftmaxPoint> from = nullptr; // then weights and constants are those of a direction from there
  // P of every row by its number among all rows, K each: written at a point, read for a direction from it. Null: not
  // kept. The bits are the same either way.
  double* shares = nullptr;
  Index every = 1; // for ClassGrams: only rows whose number is a multiple of this
  Index run = 1;   // blocks that share a state
  // For sparse rows, the same weights by column: those of all classes for the first column, then for the second. A
  // stored number meets them side by side, and sums have the same layout.
  std::vector<double> by_column = {};

  void lay_by_column();
};

struct SoftmaxSums : Saved<SoftmaxSums> {
  std::shared_ptr<const SoftmaxPoint> point;
  Index cols = 0, classes = 0, rows = 0;
  double weight = 0, loss = 0;
  std::vector<double> gradient, slope; // classes x cols by class, or by column if the point is; classes

  SoftmaxSums() = default;
  explicit SoftmaxSums(std::shared_ptr<const SoftmaxPoint> at);

  double slope_of(Index k, Index j) const { // of the weight of class k and column j
    return point->by_column.empty() ? gradient[k * cols + j] : gradient[j * classes + k];
  }

  struct Workspace {
    PresentBlock block;
    std::vector<double> z, d, p, true_score, log_sum; // true_score: scores of the rows' classes
  };
  void accumulate(const Batch& batch);
  void accumulate(const Batch& batch, Workspace& room);
  void merge(const SoftmaxSums& other);
  static constexpr std::string_view kTag = "soft", kName = "sums of softmax regression";
  static void fields(auto& s, auto& io) {
    io(s.cols, s.classes, s.rows, s.weight, s.loss);
    io.require(s.rows >= 0);
    io.numbers({s.cols, s.classes}, s.gradient);
    io.numbers(s.classes, s.slope);
  }
  bool finite() const { return true; } // the rows were checked when they were first read
  Index run_blocks() const { return point->run; }

private:
  static void score(const SoftmaxPoint& at, const PresentBlock& block, std::vector<double>& z);
  void look_at_rows(Workspace& room); // scores become P, and d the slopes
  void curve_rows(Workspace& room);   // d: the product of the Hessian of a row with the direction
  void add_products(const Workspace& room);
};

} // namespace recta
