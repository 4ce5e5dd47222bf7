#include "stats/many_points/logistic_points.hpp"

#include "base/simd/kernels.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

// log(1 + e) of so many rows is one logarithm, of a product below 2^kTogether.
constexpr Index kTogether = 512;

} // namespace

LogisticSums::LogisticSums(std::shared_ptr<const LogisticPoints> at)
    : points(std::move(at)), cols(std::ssize(points->w) / std::max<Index>(points->count(), 1)), count(points->count()),
      loss(points->b.size()), slope(points->b.size()), gradient(points->w.size()) {}

void LogisticSums::accumulate(const Batch& batch) {
  Workspace room;
  accumulate(batch, room);
}

void LogisticSums::accumulate(const Batch& batch, Workspace& room) {
  PresentBlock& block = room.block;
  block.take(batch, 0);
  const Index n = block.rows();
  room.z.resize(static_cast<std::size_t>(n * count));
  room.e.resize(room.z.size());
  block.row_products(points->w.data(), count, room.z.data());
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < count; ++k) room.z[i * count + k] += points->b[k] + block.offset[i];
  simd::kernels().exp_minus_abs(n * count, room.z.data(), room.e.data());
  slopes_of_rows(room);
  block.column_products(room.z.data(), count, gradient.data());
  rows += n;
}

void LogisticSums::slopes_of_rows(Workspace& room) {
  const PresentBlock& block = room.block;
  const bool unweighted = std::ranges::all_of(block.v, [](double v) { return v == 1; });
  room.product.assign(static_cast<std::size_t>(count), 1.0);
  double* const product = room.product.data();
  const auto flush = [&] {
    for (Index k = 0; k < count; ++k) loss[k] += std::log(product[k]), product[k] = 1;
  };
  for (Index i = 0; i < block.rows(); ++i) {
    const double v = block.v[i], side = block.y[i] > 0 ? 1 : -1;
    double* const z = room.z.data() + i * count;
    const double* const e = room.e.data() + i * count;
    for (Index k = 0; k < count; ++k) {
      const double margin = side * z[k], whole = 1 + e[k];
      loss[k] += v * std::max(-margin, 0.0);
      product[k] *= whole;
      z[k] = -side * v * ((margin > 0 ? e[k] : 1.0) / whole);
      slope[k] += z[k];
    }
    weight += v;
    if (unweighted && (i + 1) % kTogether == 0) flush();
    for (Index k = 0; !unweighted && k < count; ++k) loss[k] += v * std::log1p(e[k]), product[k] = 1;
  }
  flush();
}

void LogisticSums::merge(const LogisticSums& other) {
  rows += other.rows;
  weight += other.weight;
  for (std::size_t k = 0; k < loss.size(); ++k) loss[k] += other.loss[k], slope[k] += other.slope[k];
  for (std::size_t s = 0; s < gradient.size(); ++s) gradient[s] += other.gradient[s];
}

} // namespace recta
