// The value and gradient of a summed loss at one point, in one pass over the rows:
//
//   sum_i v_i loss(y_i, z_i),   g_j = sum_i v_i loss'(y_i, z_i) x_ij,   g_b = sum_i v_i loss'(y_i, z_i)
//
// with z = x'w + b + offset. The loss is a function that is called once per block, so nothing here is compiled again
// for each.
#pragma once

#include "stats/accumulator.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace recta {

// Returns sum v loss(y, z) over n rows and writes v loss'(y, z) to d; v null: all one.
using LossOfRows = std::function<double(Index n, const double* y, const double* z, const double* v, double* d)>;

// Shared by all blocks of one pass.
struct LossPoint {
  LossOfRows loss;
  std::vector<double> w; // p
  double b = 0;
  Index target = 0;
};

struct LossGradient : Saved<LossGradient> {
  std::shared_ptr<const LossPoint> point;
  Index cols = 0, rows = 0; // rows of positive weight
  double weight = 0, loss = 0, slope = 0;
  std::vector<double> gradient;

  LossGradient() = default;
  explicit LossGradient(std::shared_ptr<const LossPoint> at)
      : point(std::move(at)), cols(static_cast<Index>(point->w.size())), gradient(cols) {}

  struct Workspace {
    std::vector<double> x, y, z, v, d;
  };
  void accumulate(const Batch& batch);
  void accumulate(const Batch& batch, Workspace& room);
  void merge(const LossGradient& other);
  static constexpr std::string_view kTag = "grad", kName = "loss and gradient";
  static void fields(auto& s, auto& io) {
    io(s.cols, s.rows, s.weight, s.loss, s.slope);
    io.require(s.rows >= 0);
    io.numbers(s.cols, s.gradient);
  }

  // The rows were checked when they were first read; far from the optimum a sum may well overflow, which is then the
  // answer.
  bool finite() const { return true; }

  Index run_blocks() const { return usual_run(cols); }
};

} // namespace recta
