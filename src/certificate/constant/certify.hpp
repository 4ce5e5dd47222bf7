// Proofs of models that predict the same value for every row, each made in one fresh pass.
//
// With r_i = y_i - offset_i, weights s_i and W = sum_i s_i:
//
//   mean      F(b) = sum_i s_i (r_i - b)^2 / (2 W)                        F(b) - F* = (sum_i s_i (r_i - b))^2 / (2 W^2)
//   quantile  F(b) = sum_i s_i max(q (r_i - b), (q - 1) (r_i - b)) / W    F(b) - F* <= g (max r - min r)
//
// where g is the distance of zero from the slopes of F at b, which go from (sum of s_i over r_i < b) / W - q to
// (sum of s_i over r_i <= b) / W - q. Sums are double-double; what their rounding can hide is the slack.
#pragma once

#include "design/row_source.hpp"

#include <recta/certificate.hpp>
#include <recta/trace.hpp>

#include <vector>

namespace recta {

struct ConstantClaim {
  std::vector<double> b; // one per target
  double quantile = 0;   // 0: the mean
  double tolerance = 0;
};

// The objective and the distance are summed over targets. `W` and the number of rows that weigh anything come along.
struct ConstantProof {
  Certificate certificate;
  double weight = 0;
  Index rows = 0;
};
Result<ConstantProof> certify(const ConstantClaim& claim, RowSource& source, const Watch& watch);

} // namespace recta
