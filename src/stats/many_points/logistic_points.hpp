// Logistic loss at many points, in one pass over the rows: with z = x'w + b + offset and labels y of -1 and 1, for each
// point
//
//   sum v log(1 + e^(-y z)),   g_j = sum v s x_j,   sum v s,   s = -y / (1 + e^(y z))
//
// One matrix product scores a block of rows at all points, which costs little more than reading it for one of them.
#pragma once

#include "stats/accumulator.hpp"
#include "stats/present_block.hpp"

#include <memory>
#include <vector>

namespace recta {

// Shared by all blocks of one pass.
struct LogisticPoints {
  std::vector<double> w, b; // weights of the first point, then of the second, and so on; one constant per point

  Index count() const { return std::ssize(b); }
};

struct LogisticSums : Saved<LogisticSums> {
  std::shared_ptr<const LogisticPoints> points;
  Index cols = 0, count = 0, rows = 0;
  double weight = 0;
  std::vector<double> loss, slope, gradient; // count; count; count x cols by point

  LogisticSums() = default;
  explicit LogisticSums(std::shared_ptr<const LogisticPoints> at);

  struct Workspace {
    PresentBlock block;
    std::vector<double> z, e, product;
  };
  void accumulate(const Batch& batch);
  void accumulate(const Batch& batch, Workspace& room);
  void merge(const LogisticSums& other);
  static constexpr std::string_view kTag = "logs", kName = "sums of logistic losses";
  static void fields(auto& s, auto& io) {
    io(s.cols, s.count, s.rows, s.weight);
    io.require(s.rows >= 0);
    io.numbers(s.count, s.loss, s.slope);
    io.numbers({s.cols, s.count}, s.gradient);
  }
  bool finite() const { return true; } // the rows were checked when they were first read

private:
  void slopes_of_rows(Workspace& room); // scores become slopes
};

} // namespace recta
