#include "stats/loss_products/loss_products.hpp"

#include "base/double_double.hpp"
#include "stats/state_bytes.hpp"

namespace recta {

LossProducts::LossProducts(std::shared_ptr<const LossProductsPoint> at)
    : point(std::move(at)), cols(static_cast<Index>(point->w.size())), sums(point->w.size()) {}

void LossProducts::accumulate(const Batch& batch) {
  Workspace room;
  accumulate(batch, room);
}

void LossProducts::accumulate(const Batch& batch, Workspace& room) {
  PresentBlock& block = room.block;
  block.take(batch, 0);
  const auto n = static_cast<std::size_t>(block.rows());
  for (auto* each : {&room.z, &room.d, &room.c, &room.along}) each->resize(n);
  block.row_dots(point->w.data(), room.z.data());
  for (std::size_t i = 0; i < n; ++i) room.z[i] += point->b + block.offset[i];
  const double sum =
      point->loss->slopes({block.rows(), block.y.data(), room.z.data(), block.v.data()}, room.d.data(), room.c.data());
  const DoubleDouble whole = DoubleDouble(loss, loss_low) + sum;
  loss = whole.hi, loss_low = whole.lo;
  const bool product = !point->along.empty();
  if (product) block.row_dots(point->along.data(), room.along.data());
  for (std::size_t i = 0; i < n; ++i) {
    const double v = block.v[i];
    curvature += v * room.c[i];
    room.d[i] = v * (product ? room.c[i] * (room.along[i] + point->along_b) : room.d[i]);
    total += room.d[i];
  }
  block.column_dots(room.d.data(), sums.data());
}

void LossProducts::merge(const LossProducts& other) {
  const DoubleDouble whole = DoubleDouble(loss, loss_low) + DoubleDouble(other.loss, other.loss_low);
  loss = whole.hi, loss_low = whole.lo;
  total += other.total;
  curvature += other.curvature;
  for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += other.sums[j];
}

} // namespace recta
