#include "solver/coordinate_descent/sparse_features.hpp"

#include "design/csc/csc_columns.hpp"
#include "solver/coordinate_descent/residual_set.hpp"

#include <cmath>
#include <numeric>

namespace recta::descent {
namespace {

constexpr Index kTile = 256; // columns a task

void by_tiles(Pool& pool, Index count, const std::function<void(Index)>& visit) {
  pool.run((count + kTile - 1) / kTile, [&](Index tile, int) {
    for (Index i = tile * kTile, end = std::min(count, i + kTile); i < end; ++i) visit(i);
  });
}

} // namespace

SparseFeatures::SparseFeatures(const SparseView& x, std::span<const double> y, std::span<const double> weight,
                               const Centring& centring, Pool& pool)
    : x_(x), pool_(pool), centring_(centring) {
  scale_target(y, weight, centring, share_, y_);
  for (std::size_t i = 0; i < y_.size(); ++i) { // roots are for those who copy columns
    y_[i] = y[i] / target_unit - target_mean / target_unit;
    share_[i] *= share_[i];
  }
  residual_ = y_;
  weighted_.resize(y_.size());
  for (std::size_t i = 0; i < y_.size(); ++i) weighted_[i] = share_[i] * residual_[i];
  resize(x.cols);
  by_tiles(pool, x.cols, [&](Index j) { look(j); });
}

void SparseFeatures::look(Index j) {
  double sum = 0, stored = 0, product = 0;
  each_in_column(x_, j, [&](Index i, double value) {
    sum += share_[i] * value;
    stored += share_[i];
    product += weighted_[i] * value;
  });
  mean[j] = centring_.features ? sum : 0;
  double square = std::max(0.0, 1 - stored) * mean[j] * mean[j];
  each_in_column(x_, j, [&](Index i, double value) { square += share_[i] * (value - mean[j]) * (value - mean[j]); });
  if (!centring_.target) product -= mean[j] * std::accumulate(weighted_.begin(), weighted_.end(), 0.0);
  set_column(j, std::sqrt(square), product);
}

void SparseFeatures::set_residual(std::span<const Index> support, std::span<const double> t) {
  const std::vector<double> before = std::move(residual_);
  residual_ = y_;
  double shift = 0;
  for (std::size_t k = 0; k < support.size(); ++k) {
    const double w = t[k] / unit[support[k]];
    each_in_column(x_, support[k], [&](Index i, double value) { residual_[i] -= w * value; });
    shift += w * mean[support[k]];
  }
  double way = 0;
  residual_square = 0;
  for (std::size_t i = 0; i < residual_.size(); ++i) {
    residual_[i] += shift;
    weighted_[i] = share_[i] * residual_[i];
    residual_square += weighted_[i] * residual_[i];
    way += share_[i] * (residual_[i] - before[i]) * (residual_[i] - before[i]);
  }
  moved = std::sqrt(way);
}

void SparseFeatures::gradient(std::span<const Index> which, std::span<double> g) {
  const double sum = std::accumulate(weighted_.begin(), weighted_.end(), 0.0);
  by_tiles(pool_, static_cast<Index>(which.size()), [&](Index at) {
    const Index j = which[at];
    double product = 0;
    each_in_column(x_, j, [&](Index i, double value) { product += weighted_[i] * value; });
    g[j] = (product - mean[j] * sum) / unit[j];
  });
}

std::unique_ptr<WorkingSet> SparseFeatures::working_set() {
  return std::make_unique<ResidualSet>(*this);
}

} // namespace recta::descent
