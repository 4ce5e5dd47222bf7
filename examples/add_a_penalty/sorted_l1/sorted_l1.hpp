// Absolute values in falling order, the largest of which pays the most (Bogdan et al. 2015):
//
//   lambda sum_k r_k |w|_(k),   r_k = 1 + decline (p - k) / p,   k = 1, ..., p
//
// It is a norm, and its dual norm is the largest (sum of the k largest |u_j|) / (r_1 + ... + r_k). The proximal step
// subtracts the rates in that order; where the differences would not fall any more, those in question share their mean.
#pragma once

#include "penalty/norm.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace recta::penalty::sorted_l1 {

class Leaf final : public Norm {
public:
  static PenaltyInfo info() {
    return {"sorted-l1",
            "absolute values, the largest of which pays the most",
            "lambda sum_k (1 + decline (p - k) / p) |w|_(k)",
            {{"decline", "how much more the largest pays than the least", 1, 0, 1e6}}};
  }
  explicit Leaf(const Given& given) : Norm(given.lambda) {
    const auto p = static_cast<double>(given.features);
    for (double k = 1; k <= p; ++k) rate_.push_back(1 + given.number("decline") * (p - k) / p);
  }

  double value(std::span<const double> w) const override {
    const std::vector<double> size = sorted(w, {});
    return lambda() * std::inner_product(size.begin(), size.end(), rate_.begin(), 0.0);
  }

  void shrink(std::span<double> w, double step) const override {
    std::vector<std::size_t> order(w.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, std::greater{}, [&](std::size_t j) { return std::pair(std::abs(w[j]), j); });
    struct Block { // neighbours in the order that share their mean
      double sum = 0, count = 0;
      double mean() const { return sum / count; }
    };
    std::vector<Block> blocks;
    for (std::size_t k = 0; k < order.size(); ++k) {
      blocks.push_back({std::abs(w[order[k]]) - step * lambda() * rate_[k], 1});
      while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() <= blocks.back().mean()) {
        blocks[blocks.size() - 2].sum += blocks.back().sum, blocks[blocks.size() - 2].count += blocks.back().count;
        blocks.pop_back();
      }
    }
    std::size_t k = 0;
    for (const Block& block : blocks)
      for (double left = block.count; left > 0; --left, ++k)
        w[order[k]] = std::copysign(std::max(0.0, block.mean()), w[order[k]]) + 0.0;
  }

private:
  static std::vector<double> sorted(std::span<const double> w, std::span<const double> off) {
    std::vector<double> out;
    for (std::size_t j = 0; j < w.size(); ++j) out.push_back(std::abs(w[j]) + (off.empty() ? 0 : off[j]));
    std::ranges::sort(out, std::greater{});
    return out;
  }
  double dual_norm(std::span<const double> u, std::span<const double> off) const override {
    double sum = 0, rates = 0, most = 0;
    const std::vector<double> size = sorted(u, off);
    for (std::size_t k = 0; k < size.size(); ++k) {
      sum += size[k], rates += rate_[k];
      most = std::max(most, sum / rates);
    }
    return most * (1 + 0x1p-44); // the roundings of the sums
  }
  std::vector<double> rate_; // falling
};

} // namespace recta::penalty::sorted_l1
