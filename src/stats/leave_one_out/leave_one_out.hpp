// Exact leave-one-out errors of ridge, for many penalties in one pass over the rows.
//
// In the directions z = V'(x - mean) / scale of the decomposed Gram, with s = weight / sum of weights,
//   residual e = y - centre - sum_k z_k a_k,   leverage h = s (1 + sum_k z_k^2 / (L_k + lambda)),
//   error without the row = e / (1 - h)                         (the 1 only with an intercept)
// The penalty relative to the *summed* loss is what stays the same when a row is left out. A row with h = 1 to rounding
// determines its own fit: its error is infinite.
#pragma once

#include "stats/accumulator.hpp"

#include <memory>
#include <vector>

namespace recta {

struct RidgeDirections { // shared by all accumulators of a pass
  Index cols = 0, rank = 0, lambdas = 0, target = 0;
  std::vector<double> mean, scale; // p: subtracted, and divided by
  std::vector<double> vectors;     // p x rank by column
  double centre = 0;               // of the target
  double weight = 0;               // of all rows
  bool intercept = true;
  std::vector<double> coefficients; // rank x lambdas by column: a_k
  std::vector<double> shrunk;       // rank x lambdas: 1 / (L_k + lambda)
};

struct LeaveOneOut : Saved<LeaveOneOut> {
  std::shared_ptr<const RidgeDirections> directions;
  std::vector<double> sum, sum_low; // of s (e / (1 - h))^2, one per lambda

  LeaveOneOut() = default;
  explicit LeaveOneOut(std::shared_ptr<const RidgeDirections> of);
  void accumulate(const Batch& batch);
  void merge(const LeaveOneOut& other);
  static constexpr std::string_view kTag = "loo1", kName = "leave-one-out errors";
  static void fields(auto& s, auto& io) { io.numbers(io.size(s.sum), s.sum, s.sum_low); }
};

} // namespace recta
