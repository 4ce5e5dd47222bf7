#include "certificate/loss/kink_sums.hpp"

#include "base/sums.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace recta {

KinkSums::KinkSums(std::shared_ptr<const KinkPoint> at)
    : point(std::move(at)), cols(static_cast<Index>(point->w.size())), gradient(point->w.size()),
      gradient_low(gradient.size()), gradient_abs(gradient.size()), varying(point->constant.size()), gram(cols, 0) {}

void KinkSums::keep(const PresentBlock& block, Index i, double off, const loss::Piece& piece) {
  ++count;
  if (near.size() >= point->most) return;
  NearRow& row = near.emplace_back();
  row.x.assign(static_cast<std::size_t>(cols), 0.0);
  if (const auto* dense = std::get_if<MatrixView>(&block.x())) {
    for (Index j = 0; j < cols; ++j) row.x[j] = element(*dense, i, j);
    for (Index j = 0; dense->low != nullptr && j < cols; ++j) row.x_low.push_back(element_low(*dense, i, j));
  } else {
    const SparseRow from = sparse_row(std::get<SparseView>(block.x()), i);
    for (Index s = 0; s < from.count; ++s) row.x[from.column(s)] = from.value[s];
  }
  row.off = off;
  row.weight = block.v[i];
  row.low = piece.low;
  row.high = piece.high;
}

void KinkSums::along(Workspace& room) const {
  const auto n = static_cast<std::size_t>(room.block.rows());
  room.weight.assign(n, 0.0), room.along.assign(n, 0.0);
  room.block.row_dots(point->q.data(), room.along.data());
  double rest = point->q_b;
  for (std::size_t j = 0; j < point->centre.size(); ++j) rest -= point->q[j] * point->centre[j];
  for (double& each : room.along) each += rest;
}

// d of a row near the kink of a piece, or nothing if it is kept for later.
double KinkSums::near_row(Workspace& room, std::size_t i, double off, const loss::Piece& piece) {
  if (!point->spread) {
    keep(room.block, static_cast<Index>(i), off, piece);
    return 0;
  }
  ++count;
  const double d = std::clamp(room.along[i], piece.low, piece.high);
  if (d == room.along[i]) room.weight[i] += room.block.v[i];
  near_gap += room.block.v[i] * std::max(0.0, std::max(piece.high * off, piece.low * off) - d * off);
  return d;
}

void KinkSums::rows_of(const Batch& batch, Workspace& room) {
  PresentBlock& block = room.block;
  block.take(batch, 0);
  const auto n = static_cast<std::size_t>(block.rows());
  for (auto* each : {&room.z, &room.z_low, &room.v_d, &room.v_d_low}) each->resize(n);
  const double* w_low = point->w_low.empty() ? nullptr : point->w_low.data();
  block.row_dots2(point->w.data(), w_low, room.z.data(), room.z_low.data());
  if (point->spread) along(room);
  const double error = (w_low == nullptr ? 1 : 2) * block.row_dots2_error(point->w.data());
  CompensatedSum total, loss;
  for (std::size_t i = 0; i < n; ++i) {
    const DoubleDouble y(block.y[i], block.y_low.empty() ? 0 : block.y_low[i]);
    const DoubleDouble without_offset = DoubleDouble(room.z[i], room.z_low[i]) + point->b;
    const DoubleDouble z = without_offset + block.offset[i], r = y - z;
    const double v = block.v[i];
    // The error is that of dual_sums.hpp, except for roundings relative to r.
    blur += error > 0 ? v * (error + 8 * 0x1p-106 * (std::abs(without_offset.hi) + std::abs(z.hi))) : 0;
    blur += point->z_error > 0 ? std::sqrt(v) * point->z_error : 0;
    double d = 0;
    for (const loss::Piece& piece : point->pieces) {
      const double off = (r - piece.shift).hi;
      loss.add(v * std::max(piece.high * off, piece.low * off));
      const bool at_kink = std::abs(off) <= point->near;
      d += at_kink ? near_row(room, i, off, piece) : off > 0 ? piece.high : piece.low;
    }
    const DoubleDouble product = two_prod(v, d);
    room.v_d[i] = product.hi, room.v_d_low[i] = product.lo;
    total.add(product);
    squares += product * d;
    sum_abs += v * std::abs(d);
    distance += v * std::abs(r.hi);
    residual_squares += r * r * v;
    weight += v;
  }
  count_varying(block, point->constant, varying);
  rows += block.rows();
  sum += total.total();
  value += loss.total();
  block.column_dots2(room.v_d.data(), room.v_d_low.data(), gradient.data(), gradient_low.data());
  block.column_abs_dots(room.v_d.data(), gradient_abs.data());
}

const std::vector<double>& KinkSums::gram_weights(const Workspace& room) const {
  return point->spread ? room.weight : room.block.v;
}

void KinkSums::accumulate(const Batch& batch) {
  Workspace room;
  accumulate(batch, room);
}

void KinkSums::accumulate(const Batch& batch, Workspace& room) {
  rows_of(batch, room);
  if (point->gather) gram.accumulate(room.block.with(gram_weights(room), nullptr), room.gram);
}

void KinkSums::accumulate(const Batch& batch, Pool& pool) {
  Workspace room;
  rows_of(batch, room);
  if (point->gather) gram.accumulate(room.block.with(gram_weights(room), nullptr), pool);
}

void KinkSums::merge_sums(const KinkSums& other) {
  rows += other.rows;
  count += other.count;
  weight += other.weight;
  value += other.value;
  sum += other.sum;
  residual_squares += other.residual_squares;
  squares += other.squares;
  near_gap += other.near_gap;
  sum_abs += other.sum_abs;
  distance += other.distance;
  blur += other.blur;
  for (std::size_t s = 0; s < varying.size(); ++s) varying[s] += other.varying[s];
  for (std::size_t j = 0; j < gradient.size(); ++j) {
    const DoubleDouble both =
        DoubleDouble(gradient[j], gradient_low[j]) + DoubleDouble(other.gradient[j], other.gradient_low[j]);
    gradient[j] = both.hi, gradient_low[j] = both.lo;
    gradient_abs[j] += other.gradient_abs[j];
  }
  for (const NearRow& row : other.near)
    if (near.size() < point->most) near.push_back(row);
}

void KinkSums::merge(const KinkSums& other) {
  merge_sums(other);
  if (point->gather) gram.merge(other.gram);
}
void KinkSums::merge(const KinkSums& other, Pool& pool) {
  merge_sums(other);
  if (point->gather) gram.merge(other.gram, pool);
}

void LongestRow::accumulate(const Batch& batch) {
  const auto part = [&](Index j, double x) {
    const double scaled = (x - (centre->empty() ? 0 : (*centre)[j])) * (*unit)[j];
    return scaled * scaled;
  };
  const auto* dense = std::get_if<MatrixView>(&batch.x);
  double absent = intercept * intercept; // the part of a row without stored numbers
  for (Index j = 0; !dense && j < static_cast<Index>(unit->size()); ++j) absent += part(j, 0);
  for (const Index i : present_rows(batch)) {
    double here = dense ? intercept * intercept : absent;
    if (dense) {
      for (Index j = 0; j < static_cast<Index>(unit->size()); ++j) here += part(j, element(*dense, i, j));
    } else {
      const SparseRow row = sparse_row(std::get<SparseView>(batch.x), i);
      for (Index s = 0; s < row.count; ++s) here += part(row.column(s), row.value[s]);
    }
    square = std::max(square, here);
  }
}

} // namespace recta
