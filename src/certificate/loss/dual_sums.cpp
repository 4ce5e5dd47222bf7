#include "certificate/loss/dual_sums.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
DualSums::DualSums(std::shared_ptr<const DualPoint> at)
    : point(std::move(at)), cols(static_cast<Index>(point->w.size())), gradient(point->w.size()),
      gradient_low(gradient.size()), gradient_abs(gradient.size()), varying(point->constant.size()),
      gram(cols, point->scale ? 1 : 0) {}

// z; a residual takes the place of y, and zero that of z, where the loss depends on no more: it is then rounded once.
void DualSums::read(const Batch& batch, Workspace& room) {
  PresentBlock& block = room.block;
  block.take(batch, 0);
  const auto n = static_cast<std::size_t>(block.rows());
  for (auto* each : {&room.z, &room.z_low, &room.y, &room.off, &room.d, &room.d_low, &room.c, &room.v_d, &room.v_d_low,
                     &room.move, &room.gap, &room.worst, &room.along})
    each->resize(n);
  const double error = 2 * block.row_dots2_error(point->w.data()) + point->b_error; // twice: w and its low part
  block.row_dots2(point->w.data(), point->w_low.empty() ? nullptr : point->w_low.data(), room.z.data(),
                  room.z_low.data());
  const bool by_residual = point->loss->by_residual(), log_link = point->loss->log_link();
  for (std::size_t i = 0; i < n; ++i) {
    const DoubleDouble y(block.y[i], block.y_low.empty() ? 0 : block.y_low[i]);
    const DoubleDouble without_offset = DoubleDouble(room.z[i], room.z_low[i]) + DoubleDouble(point->b, point->b_low),
                       z = without_offset + block.offset[i], rest = y - z;
    const double sums = error > 0 ? 8 * kUnit * kUnit * (std::abs(without_offset.hi) + std::abs(z.hi)) : 0;
    const double by_basis = point->z_error > 0 ? point->z_error / std::sqrt(block.v[i]) : 0;
    room.off[i] = error + sums + by_basis + 2 * kUnit * std::abs(by_residual ? rest.hi : z.hi);
    room.along[i] = std::abs(y.hi) + std::abs(z.hi);
    room.y[i] = by_residual ? rest.hi : y.hi;
    room.z[i] = by_residual ? 0 : z.hi;
    const DoubleDouble r = log_link ? DoubleDouble(y - std::exp(z.hi)) : rest;
    residual_squares += r * r * block.v[i];
    right += (y.hi > 0) == (z.hi >= 0) ? block.v[i] : 0;
    weight += block.v[i];
  }
  rows += block.rows();
  count_varying(block, point->constant, varying);
}

void DualSums::make_dual(Workspace& room) {
  const PresentBlock& block = room.block;
  const auto n = static_cast<std::size_t>(block.rows());
  value += point->loss->slopes(room.rows(), room.d.data(), room.c.data());
  if (point->bound_value) value_at_most += point->loss->total_at_most(room.rows());
  for (std::size_t i = 0; i < n; ++i) {
    double d = -room.d[i];
    if (point->loss->at_edge(room.y[i], room.z[i], point->spare, d)) room.c[i] = 0;
    room.d[i] = -d;
  }
  for (std::size_t i = 0; i < n; ++i) {
    size += block.v[i] * room.c[i] * room.along[i] * room.along[i];
    curved += block.v[i] * room.c[i];
  }
  double at_centre = 0;
  if (point->q.empty()) {
    std::ranges::fill(room.along, 0.0);
  } else {
    block.row_dots(point->q.data(), room.along.data());
    at_centre = point->centre.empty() ? 0 : dot2(point->centre, point->q);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double d = -room.d[i];
    const double step = point->q_b + (room.along[i] - at_centre) + point->rho * (d - point->t);
    const DoubleDouble moved = two_sum(d, room.c[i] == 0 ? 0 : -room.c[i] * step);
    room.d[i] = room.c[i] == 0 ? d : point->loss->nearest(room.y[i], moved.hi);
    room.d_low[i] = inside(room.y[i], moved) ? moved.lo : 0;
  }
}

// Whether d stays in the domain with the part that does not fit into a double: true if the next double does.
bool DualSums::inside(double y, const DoubleDouble& d) const {
  if (d.lo == 0) return true;
  const double next = std::nextafter(d.hi, d.lo > 0 ? INFINITY : -INFINITY);
  return point->loss->nearest(y, d.hi) == d.hi && point->loss->nearest(y, next) == next;
}

// The most that each d may be moved: c |D a| beta, rounded up.
void DualSums::moves(Workspace& room) const {
  const PresentBlock& block = room.block;
  const auto n = static_cast<std::size_t>(block.rows());
  std::vector<double>& square = room.along;
  square.assign(n, point->d_b * point->d_b);
  const auto part = [&](Index j, double x) {
    const double centred = (x - (point->centre.empty() ? 0 : point->centre[j])) * point->d[j];
    return centred * centred;
  };
  const auto* dense = std::get_if<MatrixView>(&block.x());
  double absent = 0; // the part of a row without stored numbers
  for (Index j = 0; !dense && !point->d.empty() && j < cols; ++j) absent += part(j, 0);
  for (std::size_t i = 0; !point->d.empty() && i < n; ++i) {
    if (dense) {
      for (Index j = 0; j < cols; ++j) square[i] += part(j, element(*dense, static_cast<Index>(i), j));
      continue;
    }
    const SparseRow row = sparse_row(std::get<SparseView>(block.x()), static_cast<Index>(i));
    square[i] += absent; // an upper bound: what is stored comes on top
    for (Index s = 0; s < row.count; ++s) square[i] += part(row.column(s), row.value[s]);
  }
  for (std::size_t i = 0; i < n; ++i)
    room.move[i] =
        std::abs(room.d_low[i]) + (room.c[i] == 0 ? 0 : (1 + 1e-9) * room.c[i] * std::sqrt(square[i]) * point->beta);
}

void DualSums::add_rows(Workspace& room) {
  const PresentBlock& block = room.block;
  const auto n = static_cast<std::size_t>(block.rows());
  if (point->gaps) {
    moves(room);
    point->loss->gaps(room.rows(), room.d.data(), room.move.data(), room.gap.data(), room.worst.data());
  } else {
    std::ranges::fill(room.gap, 0.0);
    room.worst = room.gap;
    slack = std::numeric_limits<double>::infinity(); // such a pass proves nothing
  }
  CompensatedSum total, gaps, square;
  for (std::size_t i = 0; i < n; ++i) {
    const double v = block.v[i], d = room.d[i];
    const DoubleDouble whole(d, room.d_low[i]), product = whole * v;
    room.v_d[i] = product.hi, room.v_d_low[i] = product.lo;
    total.add(product);
    sum_abs += v * std::abs(d);
    gaps.add(v * room.gap[i]);
    slack += v * (room.worst[i] - room.gap[i]);
    square.add(product * whole);
  }
  sum += total.total();
  gap += gaps.total();
  squares += square.total();
  block.column_dots2(room.v_d.data(), room.v_d_low.data(), gradient.data(), gradient_low.data());
  block.column_abs_dots(room.v_d.data(), gradient_abs.data());
}

Batch DualSums::weighted(Workspace& room) const {
  for (std::size_t i = 0; i < room.c.size(); ++i) room.c[i] *= room.block.v[i];
  return room.block.with(room.c, point->scale ? &room.d : nullptr);
}

void DualSums::accumulate(const Batch& batch) {
  Workspace room;
  accumulate(batch, room);
}

void DualSums::accumulate(const Batch& batch, Workspace& room) {
  read(batch, room);
  make_dual(room);
  add_rows(room);
  if (point->gather) gram.accumulate(weighted(room), room.gram);
}

void DualSums::accumulate(const Batch& batch, Pool& pool) {
  Workspace room;
  read(batch, room);
  make_dual(room);
  add_rows(room);
  if (point->gather) gram.accumulate(weighted(room), pool);
}

void DualSums::merge_sums(const DualSums& other) {
  rows += other.rows;
  weight += other.weight;
  value += other.value;
  value_at_most += other.value_at_most;
  gap += other.gap;
  sum += other.sum;
  residual_squares += other.residual_squares;
  squares += other.squares;
  slack += other.slack;
  for (std::size_t s = 0; s < varying.size(); ++s) varying[s] += other.varying[s];
  sum_abs += other.sum_abs;
  size += other.size;
  right += other.right;
  curved += other.curved;
  for (std::size_t j = 0; j < gradient.size(); ++j) {
    const DoubleDouble both = DoubleDouble(gradient[j], gradient_low[j]) + other.product(static_cast<Index>(j));
    gradient[j] = both.hi, gradient_low[j] = both.lo;
    gradient_abs[j] += other.gradient_abs[j];
  }
}

void DualSums::merge(const DualSums& other) {
  merge_sums(other);
  if (point->gather) gram.merge(other.gram);
}
void DualSums::merge(const DualSums& other, Pool& pool) {
  merge_sums(other);
  if (point->gather) gram.merge(other.gram, pool);
}

} // namespace recta
