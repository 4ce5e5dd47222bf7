#include "solver/block_descent/extrapolation.hpp"

#include "base/blas.hpp"

#include <cmath>

namespace recta::descent {

void Extrapolation::add(const std::vector<double>& u, const std::vector<double>& q) {
  points_.push_back({u, q});
}

std::optional<Extrapolation::Point> Extrapolation::point() const {
  constexpr auto k = static_cast<Index>(kDifferences);
  const auto n = static_cast<Index>(points_[0].u.size());
  std::vector<std::vector<double>> difference;
  for (std::size_t i = 0; i < kDifferences; ++i) {
    std::vector<double>& one = difference.emplace_back(points_[i + 1].u);
    blas::axpy(n, -1, points_[i].u.data(), one.data());
  }
  std::vector<double> products(static_cast<std::size_t>(k * k)), factor(kDifferences, 1.0);
  double trace = 0;
  for (Index i = 0; i < k; ++i) {
    for (Index j = 0; j <= i; ++j) products[i + j * k] = blas::dot(n, difference[i].data(), difference[j].data());
    trace += products[i + i * k];
  }
  if (!(trace > 0)) return {};
  for (Index i = 0; i < k; ++i) products[i + i * k] += 1e-12 * trace;
  if (blas::potrf({products.data(), k}) != 0) return {};
  blas::potrs({products.data(), k}, {factor.data(), k, 1});
  double sum = 0;
  for (const double f : factor) sum += f;
  if (!(std::abs(sum) > 0) || !std::isfinite(sum)) return {};
  Point out{std::vector<double>(points_[0].u.size()), std::vector<double>(points_[0].q.size())};
  for (std::size_t i = 0; i < kDifferences; ++i) {
    const double share = factor[i] / sum;
    blas::axpy(n, share, points_[i + 1].u.data(), out.u.data());
    blas::axpy(static_cast<Index>(out.q.size()), share, points_[i + 1].q.data(), out.q.data());
  }
  return out;
}

} // namespace recta::descent
