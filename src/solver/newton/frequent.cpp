#include "solver/newton/frequent.hpp"

#include "base/blas.hpp"

#include <algorithm>

namespace recta {
namespace {

constexpr std::size_t kMost = 128; // columns
constexpr Index kRare = 100;       // a frequent column occurs in at least one row of this many

} // namespace

FrequentColumns::FrequentColumns(RowProducts& products, std::span<const double> penalty, std::span<const double> mean)
    : products_(products), penalty_(penalty), mean_(mean) {
  const std::vector<Index> counts = products_.counts();
  std::vector<std::pair<Index, Index>> order;
  for (std::size_t j = 0; j < counts.size(); ++j)
    if (penalty_[j] > 0 && kRare * counts[j] * products_.apart() > products_.rows())
      order.emplace_back(-counts[j], static_cast<Index>(j));
  std::ranges::sort(order);
  if (order.size() > kMost) order.resize(kMost);
  for (const auto& [count, j] : order) columns_.push_back(j);
  std::ranges::sort(columns_); // rows have them in this order
  place_.assign(counts.size(), -1);
  for (std::size_t k = 0; k < columns_.size(); ++k) place_[columns_[k]] = static_cast<int>(k);
}

bool FrequentColumns::factor(std::span<const double> curvature, double curvatures) {
  const auto size = static_cast<Index>(columns_.size()), wide = size + 1;
  factor_.reset();
  if (size == 0) return false;
  const std::vector<double> lower = products_.gram(curvature, place_, size);
  const double sampled = lower.back();
  if (!(sampled > 0)) return false;
  std::vector<double> h(static_cast<std::size_t>(size * size));
  for (Index a = 0; a < size; ++a)
    for (Index b = a; b < size; ++b) {
      const double m = mean_[columns_[a]], other = mean_[columns_[b]];
      const double about =
          lower[b + a * wide] - m * lower[size + b * wide] - other * lower[size + a * wide] + m * other * sampled;
      h[a + b * size] = about * (curvatures / sampled) + (a == b ? penalty_[columns_[a]] : 0);
    }
  const blas::SerialBlas serial;
  factor_.emplace(std::move(h), size, 10 * static_cast<double>(size) * 0x1p-53, nullptr);
  if (factor_->rank() < size) factor_.reset();
  return factor_.has_value();
}

double FrequentColumns::solve(std::span<const double> rest, std::span<double> out) const {
  if (!factor_) return 0;
  std::vector<double> some;
  for (const Index j : columns_) some.push_back(rest[j]);
  const std::vector<double> solved = factor_->solve(some);
  double sum = 0;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    out[columns_[k]] = solved[k];
    sum += some[k] * solved[k];
  }
  return sum;
}

} // namespace recta
