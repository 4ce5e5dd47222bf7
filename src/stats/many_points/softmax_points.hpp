// Softmax regression's loss and gradient (stats/softmax) at many points, in one pass over the rows. One matrix product
// scores a block of rows at all points.
#pragma once

#include "stats/accumulator.hpp"
#include "stats/present_block.hpp"

#include <memory>
#include <vector>

namespace recta {

// Shared by all blocks of one pass. Weights are those of the first point, by class, then of the second, and so on.
struct SoftmaxPoints {
  Index classes = 0;
  std::vector<double> w, b;

  Index count() const { return std::ssize(b) / classes; }
};

struct SoftmaxPointSums : Saved<SoftmaxPointSums> {
  std::shared_ptr<const SoftmaxPoints> points;
  Index cols = 0, classes = 0, count = 0, rows = 0;
  double weight = 0;
  std::vector<double> loss, slope, gradient; // count; count x classes; count x classes x cols

  SoftmaxPointSums() = default;
  explicit SoftmaxPointSums(std::shared_ptr<const SoftmaxPoints> at);

  struct Workspace {
    PresentBlock block;
    std::vector<double> z, true_score, log_sum;
  };
  void accumulate(const Batch& batch);
  void accumulate(const Batch& batch, Workspace& room);
  void merge(const SoftmaxPointSums& other);
  static constexpr std::string_view kTag = "sofp", kName = "sums of softmax losses";
  static void fields(auto& s, auto& io) {
    io(s.cols, s.classes, s.count, s.rows, s.weight);
    io.require(s.rows >= 0);
    io.numbers(s.count, s.loss);
    io.numbers({s.count, s.classes}, s.slope);
    io.numbers({s.count, s.classes, s.cols}, s.gradient);
  }
  bool finite() const { return true; } // the rows were checked when they were first read

private:
  void slopes_of_rows(Workspace& room); // scores become slopes
};

} // namespace recta
