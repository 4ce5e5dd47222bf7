// Absolute values: lambda sum_j |w_j|. The dual norm is the largest |u_j|.
#pragma once

#include "penalty/norm.hpp"

#include <cmath>

namespace recta::penalty::l1 {

inline double soft(double w, double by) {
  return w > by ? w - by : w < -by ? w + by : 0;
}

class Leaf final : public Norm {
public:
  static PenaltyInfo info() { return {"l1", "absolute values: many weights are exactly zero", "lambda sum_j |w_j|"}; }
  explicit Leaf(const Given& given) : Norm(given.lambda) {}

  double value(std::span<const double> w) const override {
    double sum = 0;
    for (const double weight : w) sum += std::abs(weight);
    return lambda() * sum;
  }
  void shrink(std::span<double> w, double step) const override {
    for (double& weight : w) weight = soft(weight, step * lambda());
  }

private:
  double dual_norm(std::span<const double> u, std::span<const double> off) const override {
    double most = 0;
    for (std::size_t j = 0; j < u.size(); ++j) most = std::max(most, std::abs(u[j]) + off[j]);
    return most;
  }
};

} // namespace recta::penalty::l1
