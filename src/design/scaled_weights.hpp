// Rows of another source, with weights times a power of two: their ratios are what they were, and products with them
// neither overflow nor lose digits among the smallest numbers.
#pragma once

#include "design/changed_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace recta {

// The exponent that brings the largest weight to [1, 2), if it is so far from 1 that products with it could meet the
// ends of the doubles; otherwise 0.
inline int doublings_of(std::span<const double> weight) {
  constexpr int kUsual = 64;
  double largest = 0;
  for (const double v : weight)
    if (std::isfinite(v)) largest = std::max(largest, v);
  const int exponent = largest > 0 ? std::ilogb(largest) : 0;
  return std::abs(exponent) > kUsual ? -exponent : 0;
}

// A weight stays above zero: zero would take the row away.
inline void double_weights(std::span<const double> weight, int doublings, std::vector<double>& out) {
  out.assign(weight.begin(), weight.end());
  for (double& v : out)
    if (v > 0) v = std::max(std::ldexp(v, doublings), std::numeric_limits<double>::denorm_min());
}

class ScaledWeights final : public ChangedRows<std::vector<double>> {
public:
  ScaledWeights(RowSource& inner, int doublings) : ChangedRows(inner), doublings_(doublings) {}

protected:
  void change(Batch& batch, std::vector<double>& room) const override {
    double_weights(batch.weight, doublings_, room);
    batch.weight = room;
  }

private:
  int doublings_;
};

} // namespace recta
