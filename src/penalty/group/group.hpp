// Lengths of groups of weights: lambda sum_g sqrt(size of g) |w_g|, so that groups are zero together. Its conjugate is
// 0 where no |u_g| is above lambda sqrt(size of g), and infinite elsewhere.
#pragma once

#include "penalty/norm.hpp"

#include <cmath>

namespace recta::penalty::group {

class Leaf final : public Norm {
public:
  static PenaltyInfo info() {
    return {"group",
            "lengths of groups of weights, which are zero together",
            "lambda sum_g sqrt(size of g) |w_g|",
            {{"groups", "the number of the group of every feature", 1, -1e15, 1e15, true}}};
  }
  explicit Leaf(const Given& given) : Norm(given.lambda) {
    std::map<double, std::size_t> place;
    for (const double number : given.numbers.at("groups")) {
      const auto [entry, added] = place.emplace(number, place.size());
      group_.push_back(entry->second);
      if (added) size_.push_back(0);
      size_[group_.back()] += 1;
    }
  }

  double value(std::span<const double> w) const override {
    const std::vector<double> length = lengths(w, {});
    double sum = 0;
    for (std::size_t g = 0; g < length.size(); ++g) sum += std::sqrt(size_[g]) * length[g];
    return lambda() * sum;
  }
  void shrink(std::span<double> w, double step) const override {
    std::vector<double> factor = lengths(w, {});
    for (std::size_t g = 0; g < factor.size(); ++g) {
      const double by = step * lambda() * std::sqrt(size_[g]);
      factor[g] = factor[g] > by ? 1 - by / factor[g] : 0;
    }
    for (std::size_t j = 0; j < w.size(); ++j) w[j] *= factor[group_[j]];
  }

private:
  std::vector<double> lengths(std::span<const double> w, std::span<const double> off) const {
    std::vector<double> out(size_.size());
    for (std::size_t j = 0; j < w.size(); ++j) {
      const double most = std::abs(w[j]) + (off.empty() ? 0 : off[j]);
      out[group_[j]] += most * most;
    }
    for (double& square : out) square = std::sqrt(square);
    return out;
  }
  double dual_norm(std::span<const double> u, std::span<const double> off) const override {
    const std::vector<double> length = lengths(u, off);
    double most = 0;
    for (std::size_t g = 0; g < length.size(); ++g) most = std::max(most, length[g] / std::sqrt(size_[g]));
    return most * (1 + 0x1p-48); // the roundings of the length
  }

  std::vector<std::size_t> group_; // of every feature
  std::vector<double> size_;
};

} // namespace recta::penalty::group
