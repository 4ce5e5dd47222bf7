#include "stats/curvature/curvature.hpp"

#include "base/double_double.hpp"
#include "stats/state_bytes.hpp"

#include <cmath>

namespace recta {

Curvature::Curvature(std::shared_ptr<const CurvaturePoint> at)
    : point(std::move(at)), cols(static_cast<Index>(point->w.size())), gradient(point->w.size()),
      gram(cols, point->scale ? 1 : 0) {}

Batch Curvature::first_order(const Batch& batch, Workspace& room) {
  PresentBlock& block = room.block;
  block.take(batch, 0);
  const auto n = static_cast<std::size_t>(block.rows());
  for (auto* each : {&room.z, &room.d, &room.c}) each->resize(n);
  block.row_dots(point->w.data(), room.z.data());
  for (std::size_t i = 0; i < n; ++i) room.z[i] += point->b + block.offset[i];
  const loss::LossRows here{block.rows(), block.y.data(), room.z.data(), block.v.data()};
  const double sum = point->loss->slopes(here, room.d.data(), room.c.data());
  if (point->majorant > 0) point->loss->mix_majorant(here, point->majorant, room.c.data());
  const DoubleDouble total = DoubleDouble(loss, loss_low) + sum;
  loss = total.hi, loss_low = total.lo;
  room.column.resize(point->scale ? n : 0);
  for (std::size_t i = 0; i < n; ++i) {
    const double v = block.v[i], d = room.d[i];
    if (point->scale) room.column[i] = -d;
    if (point->response && room.c[i] > 0) response += v * d * d / room.c[i];
    weight += v;
    room.d[i] = v * d;
    room.c[i] *= v;
    slope += room.d[i];
    squares += room.d[i] * d;
  }
  block.column_dots(room.d.data(), gradient.data());
  rows += block.rows();
  return block.with(room.c, point->scale ? &room.column : nullptr);
}

namespace {

// If z is far out, curvatures are infinite or NaN, and there is no Gram.
bool usable(const std::vector<double>& c) {
  for (const double x : c)
    if (!std::isfinite(x)) return false;
  return true;
}

} // namespace

void Curvature::accumulate(const Batch& batch) {
  Workspace room;
  accumulate(batch, room);
}

void Curvature::accumulate(const Batch& batch, Workspace& room) {
  const Batch weighted = first_order(batch, room);
  if (usable(room.c))
    gram.accumulate(weighted, room.gram);
  else
    loss = std::numeric_limits<double>::infinity();
}

void Curvature::accumulate(const Batch& batch, Pool& pool) {
  Workspace room;
  const Batch weighted = first_order(batch, room);
  if (usable(room.c))
    gram.accumulate(weighted, pool);
  else
    loss = std::numeric_limits<double>::infinity();
}

void Curvature::merge_sums(const Curvature& other) {
  rows += other.rows;
  weight += other.weight;
  const DoubleDouble total = DoubleDouble(loss, loss_low) + DoubleDouble(other.loss, other.loss_low);
  loss = total.hi, loss_low = total.lo;
  slope += other.slope;
  squares += other.squares;
  response += other.response;
  for (std::size_t j = 0; j < gradient.size(); ++j) gradient[j] += other.gradient[j];
}

void Curvature::merge(const Curvature& other) {
  merge_sums(other);
  gram.merge(other.gram);
}
void Curvature::merge(const Curvature& other, Pool& pool) {
  merge_sums(other);
  gram.merge(other.gram, pool);
}

} // namespace recta
