#include "solver/coordinate_descent/sparse_features.hpp"

#include "design/csc/csc_columns.hpp"
#include "solver/coordinate_descent/residual_set.hpp"

#include <cmath>
#include <numeric>

namespace recta::descent {
namespace {

constexpr Index kColumnsOfATask = 256; // columns per task

// Calls visit(first, end) for every tile.
void by_tiles(Pool& pool, Index count, const std::function<void(Index, Index)>& visit) {
  pool.run((count + kColumnsOfATask - 1) / kColumnsOfATask,
           [&](Index tile, int) { visit(tile * kColumnsOfATask, std::min(count, (tile + 1) * kColumnsOfATask)); });
}

} // namespace

SparseFeatures::SparseFeatures(const SparseView& x, std::span<const double> y, std::span<const double> weight,
                               const Centring& centring, Pool& pool)
    : x_(x), pool_(pool), centring_(centring), alike_(weight.empty()) {
  scale_target(y, x.rows, weight, centring, share_, y_);
  for (double& share : share_) share *= share; // roots are for those who copy columns
  weighted_.resize(y_.size());
  for (Index t = 0; t < targets(); ++t)
    for (Index i = 0; i < rows(); ++i) {
      const Index at = i + t * rows();
      y_[at] = y[at] / target_unit - target_mean[t] / target_unit;
      weighted_[at] = share_[i] * y_[at];
    }
  residual_ = y_;
  sum_weighted();
  resize(x.cols);
  by_tiles(pool, x.cols, [&](Index first, Index end) {
    std::vector<double> with_y(target_mean.size());
    for (Index j = first; j < end; ++j) look(j, with_y);
  });
}

void SparseFeatures::sum_weighted() {
  weighted_sum_.clear();
  for (Index t = 0; t < targets(); ++t)
    weighted_sum_.push_back(std::accumulate(weighted_.begin() + t * rows(), weighted_.begin() + (t + 1) * rows(), 0.0));
}

void SparseFeatures::look(Index j, std::span<double> with_y) {
  const Sums column = sums(j);
  mean[j] = centring_.features ? column.values : 0;
  const double square = std::max(0.0, 1 - column.shares) * mean[j] * mean[j] + square_about(j, mean[j]);
  with_y[0] = column.products;
  for (Index t = 1; t < targets(); ++t) {
    const double* const weighted = weighted_.data() + t * rows();
    double product = 0;
    each_in_column(x_, j, [&](Index i, double value) { product += weighted[i] * value; });
    with_y[t] = product;
  }
  for (Index t = 0; !centring_.target && t < targets(); ++t) with_y[t] -= mean[j] * weighted_sum_[t];
  set_column(j, std::sqrt(square), with_y);
}

SparseFeatures::Sums SparseFeatures::sums(Index j) const {
  Sums out;
  const double* const weighted = weighted_.data();
  if (alike_) {
    each_in_column(x_, j, [&](Index i, double value) {
      out.values += value, ++out.shares;
      out.products += weighted[i] * value;
    });
    out.values *= share_[0], out.shares *= share_[0];
    return out;
  }
  each_in_column(x_, j, [&](Index i, double value) {
    out.values += share_[i] * value, out.shares += share_[i];
    out.products += weighted[i] * value;
  });
  return out;
}

double SparseFeatures::square_about(Index j, double centre) const {
  double square = 0;
  if (alike_) {
    each_in_column(x_, j, [&](Index, double value) { square += (value - centre) * (value - centre); });
    return square * share_[0];
  }
  each_in_column(x_, j, [&](Index i, double value) { square += share_[i] * (value - centre) * (value - centre); });
  return square;
}

void SparseFeatures::set_residual(std::span<const Index> support, std::span<const double> t) {
  const std::vector<double> before = std::move(residual_);
  residual_ = y_;
  double way = 0;
  residual_square = 0;
  const std::size_t s = support.size();
  for (Index k = 0; k < targets(); ++k) {
    double* const residual = residual_.data() + k * rows();
    double shift = 0;
    for (std::size_t a = 0; a < s; ++a) {
      const double w = t[a + static_cast<std::size_t>(k) * s] / unit[support[a]];
      each_in_column(x_, support[a], [&](Index i, double value) { residual[i] -= w * value; });
      shift += w * mean[support[a]];
    }
    for (Index i = 0; i < rows(); ++i) {
      const Index at = i + k * rows();
      residual[i] += shift;
      weighted_[at] = share_[i] * residual[i];
      residual_square += weighted_[at] * residual[i];
      way += share_[i] * (residual[i] - before[at]) * (residual[i] - before[at]);
    }
  }
  moved = std::sqrt(way);
  sum_weighted();
}

void SparseFeatures::gradient(std::span<const Index> which, std::span<double> g) {
  by_tiles(pool_, static_cast<Index>(which.size()), [&](Index first, Index end) {
    for (Index t = 0; t < targets(); ++t) {
      const double* const weighted = weighted_.data() + t * rows();
      for (Index at = first; at < end; ++at) {
        const Index j = which[at];
        double product = 0;
        each_in_column(x_, j, [&](Index i, double value) { product += weighted[i] * value; });
        g[j + t * cols()] = (product - mean[j] * weighted_sum_[t]) / unit[j];
      }
    }
  });
}

// A column is expanded once, and every other column is multiplied with it at its stored numbers.
void SparseFeatures::products(std::span<const Index> ids, Index from, double* out, Index stride) {
  const auto size = static_cast<Index>(ids.size());
  std::vector<std::vector<double>> spread(static_cast<std::size_t>(pool_.threads()));
  pool_.run(size - from, [&](Index added, int worker) {
    const Index b = from + added, j = ids[b];
    std::vector<double>& line = spread[static_cast<std::size_t>(worker)];
    line.resize(share_.size());
    each_in_column(x_, j, [&](Index i, double value) { line[i] = share_[i] * value; });
    for (Index a = 0; a <= b; ++a) {
      double product = -mean[ids[a]] * mean[j]; // zero if the means are not subtracted
      each_in_column(x_, ids[a], [&](Index i, double value) { product += line[i] * value; });
      out[b * stride + a] = product / unit[ids[a]] / unit[j];
    }
    each_in_column(x_, j, [&](Index i, double) { line[i] = 0; });
  });
  for (Index b = from; b < size; ++b)
    for (Index a = 0; a < b; ++a) out[a * stride + b] = out[b * stride + a];
}

std::unique_ptr<WorkingSet> SparseFeatures::working_set() {
  return std::make_unique<ResidualSet>(*this);
}

} // namespace recta::descent
