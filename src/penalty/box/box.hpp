// Weights between bounds: 0 where lower_j <= w_j <= upper_j, and infinite elsewhere. Its conjugate is sum_j of the
// larger of lower_j u_j and upper_j u_j.
#pragma once

#include "penalty/penalty.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta::penalty::box {

class Leaf final : public Penalty {
public:
  static PenaltyInfo info() {
    return {"box",
            "every weight between two bounds",
            "0 where lower_j <= w_j <= upper_j, infinite elsewhere",
            {{"lower", "the least weight, for all features or for each", 0, -1e300, 1e300, true},
             {"upper", "the largest weight, for all features or for each", 1, -1e300, 1e300, true}},
            false};
  }
  static Result<void> check(const Given& given) {
    const auto &lower = given.numbers.at("lower"), &upper = given.numbers.at("upper");
    for (std::size_t j = 0; j < lower.size(); ++j)
      if (lower[j] > upper[j])
        return fail(ErrorCode::usage, "parameter lower",
                    "the bound of weight " + std::to_string(j + 1) + " is above its upper bound", "exchange them");
    return {};
  }
  explicit Leaf(const Given& given) : lower_(given.numbers.at("lower")), upper_(given.numbers.at("upper")) {}

  double value(std::span<const double> w) const override {
    for (std::size_t j = 0; j < w.size(); ++j)
      if (!(w[j] >= lower_[j] && w[j] <= upper_[j])) return std::numeric_limits<double>::infinity();
    return 0;
  }
  void shrink(std::span<double> w, double) const override {
    for (std::size_t j = 0; j < w.size(); ++j) w[j] = std::clamp(w[j], lower_[j], upper_[j]);
  }
  double conjugate(std::span<const double> u, std::span<const double> off) const override {
    double sum = 0;
    for (std::size_t j = 0; j < u.size(); ++j)
      sum += std::max(lower_[j] * u[j], upper_[j] * u[j]) + std::max(std::abs(lower_[j]), std::abs(upper_[j])) * off[j];
    return sum;
  }
  double reach(std::span<const double>, std::span<const double>) const override { return 1; }

private:
  std::vector<double> lower_, upper_;
};

} // namespace recta::penalty::box
