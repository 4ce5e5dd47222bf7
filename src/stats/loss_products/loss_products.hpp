// One pass over the rows for a loss with curvature, without p x p sums: its value at a point with the slope, or the
// product of its Hessian there with a direction,
//
//   sum_i v_i r_i x_ij  and  sum_i v_i r_i,   r_i = loss'(y_i, z_i)   or   r_i = loss''(y_i, z_i) (x_i's + t)
//
// with z = x'w + b + offset and the direction (s, t).
#pragma once

#include "loss/row_loss.hpp"
#include "stats/accumulator.hpp"
#include "stats/present_block.hpp"

namespace recta {

// Shared by all blocks of one pass.
struct LossProductsPoint {
  std::shared_ptr<const loss::RowLoss> loss;
  std::vector<double> w;
  double b = 0;
  std::vector<double> along; // empty: the slope is asked for
  double along_b = 0;
};

struct LossProducts : Saved<LossProducts> {
  std::shared_ptr<const LossProductsPoint> point;
  Index cols = 0;
  double loss = 0, loss_low = 0;   // two doubles: near the optimum a step gains less than one double tells
  double total = 0, curvature = 0; // sum v r, sum v loss''
  std::vector<double> sums;        // p: sum v r x

  LossProducts() = default;
  explicit LossProducts(std::shared_ptr<const LossProductsPoint> at);

  struct Workspace {
    PresentBlock block;
    std::vector<double> z, d, c, along;
  };
  void accumulate(const Batch& batch);
  void accumulate(const Batch& batch, Workspace& room);
  void merge(const LossProducts& other);
  static constexpr std::string_view kTag = "lpro", kName = "products of a loss";
  static void fields(auto& s, auto& io) {
    io(s.cols, s.loss, s.loss_low, s.total, s.curvature);
    io.numbers(s.cols, s.sums);
  }
  // The rows were checked when they were first read; far out the loss is infinite, which is then the answer.
  bool finite() const { return true; }
};

} // namespace recta
