// Half the squares: lambda/2 sum_j w_j^2. Its conjugate is sum_j u_j^2 / (2 lambda), finite everywhere.
#pragma once

#include "penalty/penalty.hpp"

#include <cmath>

namespace recta::penalty::l2 {

class Leaf final : public Penalty {
public:
  static PenaltyInfo info() { return {"l2", "half the squares, as ridge has them", "lambda/2 sum_j w_j^2"}; }
  explicit Leaf(const Given& given) : lambda_(given.lambda) {}

  double value(std::span<const double> w) const override {
    double sum = 0;
    for (const double weight : w) sum += weight * weight;
    return lambda_ / 2 * sum;
  }
  void shrink(std::span<double> w, double step) const override {
    for (double& weight : w) weight /= 1 + step * lambda_;
  }
  double conjugate(std::span<const double> u, std::span<const double> off) const override {
    double sum = 0;
    for (std::size_t j = 0; j < u.size(); ++j) sum += (std::abs(u[j]) + off[j]) * (std::abs(u[j]) + off[j]);
    return sum / (2 * lambda_);
  }
  double reach(std::span<const double>, std::span<const double>) const override { return 1; }

private:
  double lambda_;
};

} // namespace recta::penalty::l2
