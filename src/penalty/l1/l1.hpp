// Absolute values: lambda sum_j |w_j|. Its conjugate is 0 where no |u_j| is above lambda, and infinite elsewhere.
#pragma once

#include "penalty/penalty.hpp"

#include <cmath>
#include <limits>

namespace recta::penalty::l1 {

inline double soft(double w, double by) {
  return w > by ? w - by : w < -by ? w + by : 0;
}

class Leaf final : public Penalty {
public:
  static PenaltyInfo info() { return {"l1", "absolute values: many weights are exactly zero", "lambda sum_j |w_j|"}; }
  explicit Leaf(const Given& given) : lambda_(given.lambda) {}

  double value(std::span<const double> w) const override {
    double sum = 0;
    for (const double one : w) sum += std::abs(one);
    return lambda_ * sum;
  }
  void shrink(std::span<double> w, double step) const override {
    for (double& one : w) one = soft(one, step * lambda_);
  }
  double conjugate(std::span<const double> u, std::span<const double> off) const override {
    return largest(u, off) <= lambda_ ? 0 : std::numeric_limits<double>::infinity();
  }
  double reach(std::span<const double> u, std::span<const double> off) const override {
    const double most = largest(u, off);
    return most <= lambda_ ? 1 : lambda_ / most;
  }

private:
  static double largest(std::span<const double> u, std::span<const double> off) {
    double most = 0;
    for (std::size_t j = 0; j < u.size(); ++j) most = std::max(most, std::abs(u[j]) + off[j]);
    return most;
  }
  double lambda_;
};

} // namespace recta::penalty::l1
