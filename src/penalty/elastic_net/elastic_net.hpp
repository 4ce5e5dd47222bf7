// Absolute values and half the squares, with shares a and 1 - a: lambda sum_j (a |w_j| + (1 - a)/2 w_j^2). Its
// conjugate is sum_j max(0, |u_j| - a lambda)^2 / (2 (1 - a) lambda).
#pragma once

#include "penalty/l1/l1.hpp"

namespace recta::penalty::elastic_net {

class Leaf final : public Penalty {
public:
  static PenaltyInfo info() {
    return {"elastic-net",
            "absolute values and half the squares",
            "lambda sum_j (a |w_j| + (1 - a)/2 w_j^2)",
            {{"l1-share", "a, the share of the absolute values", 0.5, 0, 1 - 1e-9}}};
  }
  explicit Leaf(const Given& given)
      : absolute_(given.lambda * given.number("l1-share")), squares_(given.lambda * (1 - given.number("l1-share"))) {}

  double value(std::span<const double> w) const override {
    double sum = 0;
    for (const double weight : w) sum += absolute_ * std::abs(weight) + squares_ / 2 * weight * weight;
    return sum;
  }
  void shrink(std::span<double> w, double step) const override {
    for (double& weight : w) weight = l1::soft(weight, step * absolute_) / (1 + step * squares_);
  }
  double conjugate(std::span<const double> u, std::span<const double> off) const override {
    double sum = 0;
    for (std::size_t j = 0; j < u.size(); ++j) {
      const double beyond = std::max(0.0, std::abs(u[j]) + off[j] - absolute_);
      sum += beyond * beyond;
    }
    return sum / (2 * squares_);
  }
  double reach(std::span<const double>, std::span<const double>) const override { return 1; }

private:
  double absolute_, squares_;
};

} // namespace recta::penalty::elastic_net
