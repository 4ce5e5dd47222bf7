#include "stats/many_points/softmax_points.hpp"

#include "stats/softmax/softmax.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>

namespace recta {

SoftmaxPointSums::SoftmaxPointSums(std::shared_ptr<const SoftmaxPoints> at)
    : points(std::move(at)), cols(std::ssize(points->w) / std::max<Index>(std::ssize(points->b), 1)),
      classes(points->classes), count(points->count()), loss(static_cast<std::size_t>(count)), slope(points->b.size()),
      gradient(points->w.size()) {}

void SoftmaxPointSums::accumulate(const Batch& batch) {
  Workspace room;
  accumulate(batch, room);
}

void SoftmaxPointSums::accumulate(const Batch& batch, Workspace& room) {
  PresentBlock& block = room.block;
  block.take(batch, 0);
  const Index n = block.rows(), scores = count * classes;
  room.z.resize(static_cast<std::size_t>(n * scores));
  block.row_products(points->w.data(), scores, room.z.data());
  for (Index i = 0; i < n; ++i)
    for (Index s = 0; s < scores; ++s) room.z[i * scores + s] += points->b[s];
  slopes_of_rows(room);
  block.column_products(room.z.data(), scores, gradient.data());
  rows += n;
}

void SoftmaxPointSums::slopes_of_rows(Workspace& room) {
  const PresentBlock& block = room.block;
  const Index n = block.rows();
  for (auto* each : {&room.true_score, &room.log_sum}) each->resize(static_cast<std::size_t>(n * count));
  for (Index i = 0; i < n; ++i)
    for (Index q = 0; q < count; ++q)
      room.true_score[i * count + q] = room.z[(i * count + q) * classes + softmax_class(block.y[i], classes)];
  softmax_of_rows(room.z.data(), n * count, classes, room.log_sum.data());
  for (Index i = 0; i < n; ++i) {
    const double v = block.v[i];
    const Index true_class = softmax_class(block.y[i], classes);
    weight += v;
    for (Index q = 0; q < count; ++q) {
      loss[q] += v * (room.log_sum[i * count + q] - room.true_score[i * count + q]);
      double* const p = room.z.data() + (i * count + q) * classes;
      const double others = other_shares(p, classes, true_class);
      for (Index k = 0; k < classes; ++k) p[k] *= v;
      p[true_class] = -v * others;
      for (Index k = 0; k < classes; ++k) slope[q * classes + k] += p[k];
    }
  }
}

void SoftmaxPointSums::merge(const SoftmaxPointSums& other) {
  rows += other.rows;
  weight += other.weight;
  for (std::size_t q = 0; q < loss.size(); ++q) loss[q] += other.loss[q];
  for (std::size_t s = 0; s < slope.size(); ++s) slope[s] += other.slope[s];
  for (std::size_t s = 0; s < gradient.size(); ++s) gradient[s] += other.gradient[s];
}

} // namespace recta
