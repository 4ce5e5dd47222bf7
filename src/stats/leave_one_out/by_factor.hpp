// The same as leave_one_out.hpp, but with a factor for every penalty and in double-double, for penalties so small that
// the directions of one decomposition are not accurate enough. With x about its means, H = R'R the sums of products and
// the penalty,
//   residual e = y - mean(y) - <w, x>,   leverage h = v (1 / W + |R^-T x|^2)            (1 / W only with an intercept)
// Cost p^2 / 2 per row and penalty.
#pragma once

#include "base/factor/cholesky.hpp"
#include "stats/accumulator.hpp"

#include <memory>
#include <vector>

namespace recta {

struct RidgeFactors { // shared by all accumulators of a pass
  struct One {
    Cholesky<DoubleDouble> factor; // of H
    std::vector<DoubleDouble> w;
  };
  Index cols = 0, target = 0;
  std::vector<DoubleDouble> mean;
  std::vector<char> constant; // columns that play no part
  DoubleDouble centre = 0.0;  // of the target
  double weight = 0;          // W, of all rows
  bool intercept = true;
  std::vector<One> each; // one per penalty
};

struct LeaveOneOutByFactor : Saved<LeaveOneOutByFactor> {
  std::shared_ptr<const RidgeFactors> factors;
  std::vector<double> sum, sum_low; // of s (e / (1 - h))^2, one per penalty

  LeaveOneOutByFactor() = default;
  explicit LeaveOneOutByFactor(std::shared_ptr<const RidgeFactors> of);
  void accumulate(const Batch& batch);
  void merge(const LeaveOneOutByFactor& other);
  static constexpr std::string_view kTag = "lof1", kName = "leave-one-out errors";
  static void fields(auto& s, auto& io) { io.numbers(io.size(s.sum), s.sum, s.sum_low); }
};

} // namespace recta
