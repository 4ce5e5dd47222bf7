// A loss at one point to second order, in one pass over the rows. With z = x'w + b + offset, l_i = loss(y_i, z_i) and
// c_i = l_i'' (a share of it from a parabola above the loss, if asked for):
//
//   sum v l,   sum v l',   g_j = sum v l' x_j,   sum v l'^2,   the Gram of the rows with weights v c
//
// The Gram is that of stats/gram, including its means: rows without curvature are absent from it. With `scale` it has
// one more column, -l', which is needed if a scale is fitted with the coefficients (loss/huber).
#pragma once

#include "loss/row_loss.hpp"
#include "stats/gram/gram.hpp"
#include "stats/present_block.hpp"

#include <memory>

namespace recta {

// Shared by all blocks of one pass.
struct CurvaturePoint {
  std::shared_ptr<const loss::RowLoss> loss;
  std::vector<double> w;
  double b = 0;
  double majorant = 0; // share
  bool scale = false;
  bool response = false; // also gather sum v l'^2 / c
};

struct Curvature : Saved<Curvature> {
  std::shared_ptr<const CurvaturePoint> point;
  Index cols = 0, rows = 0; // rows of positive weight
  double weight = 0;
  double loss = 0, loss_low = 0;
  double slope = 0, squares = 0; // sum v l', sum v l'^2
  double response = 0;           // if asked for: sum v l'^2 / c, the squares of t - z about zero, t = z - l' / c
  std::vector<double> gradient;
  Gram gram;

  Curvature() = default;
  explicit Curvature(std::shared_ptr<const CurvaturePoint> at);

  struct Workspace {
    PresentBlock block;
    std::vector<double> z, d, c, column;
    Gram::Workspace gram;
  };
  void accumulate(const Batch& batch);
  void accumulate(const Batch& batch, Workspace& room);
  void merge(const Curvature& other);
  static constexpr std::string_view kTag = "curv", kName = "curvature of a loss";
  // Without the point.
  static void fields(auto& s, auto& io) {
    io(s.cols, s.rows, s.weight, s.loss, s.loss_low, s.slope, s.squares, s.response);
    io.require(s.rows >= 0);
    io.numbers(s.cols, s.gradient);
    io.state(s.gram);
    io.require(s.gram.cols == s.cols);
  }

  // The rows were checked when they were first read. Far from the optimum a sum may well overflow: that is then the
  // answer.
  bool finite() const { return true; }
  bool same_kind(const Curvature& other) const { return gram.same_kind(other.gram); }

  Index leaf_blocks() const { return gram.leaf_blocks(); }
  void accumulate(const Batch& batch, Pool& pool);
  void merge(const Curvature& other, Pool& pool);

private:
  Batch first_order(const Batch& batch, Workspace& room); // also returns the batch for the Gram
  void merge_sums(const Curvature& other);
};

} // namespace recta
