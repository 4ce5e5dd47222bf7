#include "solver/newton/row_slopes.hpp"

#include "base/sums.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr Index kSlopeTile = 2048;
// Curvatures far below the largest would give responses that are all rounding; a step needs none of them.
constexpr double kLeastCurvature = 1e-6;

} // namespace

RowSlopes::RowSlopes(const LossObjective& objective, double total_weight, std::span<const double> y,
                     std::span<const double> weight, Pool& pool)
    : loss_(objective.at()), pool_(pool), y_(y.begin(), y.end()), share_(y.size(), 1 / total_weight), down_(y.size()),
      curvature_(y.size()) {
  for (std::size_t i = 0; i < weight.size(); ++i) {
    share_[i] = weight[i] / total_weight;
    if (share_[i] == 0) y_[i] = 1;
  }
}

template <class Visit>
double RowSlopes::by_tiles(const Visit& visit) const {
  std::vector<double> parts(static_cast<std::size_t>((rows() + kSlopeTile - 1) / kSlopeTile));
  pool_.run(static_cast<Index>(parts.size()), [&](Index tile, int) {
    parts[static_cast<std::size_t>(tile)] = visit(tile * kSlopeTile, std::min(rows(), (tile + 1) * kSlopeTile));
  });
  CompensatedSum sum;
  for (const double part : parts) sum.add(part);
  return sum.value();
}

double RowSlopes::try_at(std::span<const double> z) const {
  return by_tiles(
      [&](Index first, Index end) { return loss_->total({end - first, &y_[first], &z[first], &share_[first]}); });
}

double RowSlopes::look(std::span<const double> z) {
  std::swap(before_, down_);
  down_.resize(y_.size());
  mean_loss_ = by_tiles([&](Index first, Index end) {
    const double sum =
        loss_->slopes({end - first, &y_[first], &z[first], &share_[first]}, &down_[first], &curvature_[first]);
    for (Index i = first; i < end; ++i) down_[i] *= -share_[i], curvature_[i] *= share_[i];
    return sum;
  });
  const double way = by_tiles([&](Index first, Index end) {
    double sum = 0;
    for (Index i = first; i < end; ++i) {
      const double step = down_[i] - (before_.empty() ? 0 : before_[i]);
      if (share_[i] > 0) sum += step * step / share_[i];
    }
    return sum;
  });
  moved_ += std::sqrt(way) * (1 + 1e-12);
  return mean_loss_;
}

std::vector<double> RowSlopes::firm() const {
  double most = 0;
  for (std::size_t i = 0; i < share_.size(); ++i)
    if (share_[i] > 0) most = std::max(most, curvature_[i] / share_[i]);
  std::vector<double> out = curvature_;
  for (std::size_t i = 0; i < share_.size(); ++i) out[i] = std::max(out[i], kLeastCurvature * most * share_[i]);
  return out;
}

double RowSlopes::centre(std::span<double> z) const {
  std::vector<double> d(y_.size()), c(y_.size());
  double moved = 0;
  for (int steps = 0; steps < 20; ++steps) {
    const double slope = by_tiles([&](Index first, Index end) {
      (void)loss_->slopes({end - first, &y_[first], &z[first], &share_[first]}, &d[first], &c[first]);
      double sum = 0;
      for (Index i = first; i < end; ++i) sum += share_[i] * d[i];
      return sum;
    });
    const double curved = by_tiles([&](Index first, Index end) {
      double sum = 0;
      for (Index i = first; i < end; ++i) sum += share_[i] * c[i];
      return sum;
    });
    const double step = -slope / curved;
    if (!(std::abs(step) > 1e-16 * (1 + std::abs(moved))) || !std::isfinite(step)) break;
    for (double& at : z) at += std::clamp(step, -1.0, 1.0);
    moved += std::clamp(step, -1.0, 1.0);
    if (std::abs(step) < 1e-8) break; // the next one would be its square
  }
  return moved;
}

} // namespace recta
