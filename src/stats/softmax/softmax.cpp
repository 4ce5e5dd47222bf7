#include "stats/softmax/softmax.hpp"

#include "base/double_double.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace recta {

double softmax_of(double* z, Index classes) {
  const double most = *std::max_element(z, z + classes);
  double sum = 0;
  for (Index k = 0; k < classes; ++k) sum += z[k] = std::exp(z[k] - most);
  for (Index k = 0; k < classes; ++k) z[k] /= sum;
  return std::log(sum) + most;
}

double other_shares(const double* p, Index classes, Index k) {
  if (p[k] <= 0.5) return 1 - p[k];
  double sum = 0;
  for (Index l = 0; l < classes; ++l) sum += l == k ? 0 : p[l];
  return sum;
}

void drop_tail(double* p, Index classes, Index own, double edge) {
  const Index largest = std::max_element(p, p + classes) - p;
  for (Index k = 0; k < classes; ++k) {
    if (k == largest || k == own || !(p[k] < edge)) continue;
    p[largest] += p[k];
    p[k] = 0;
  }
}

void compensated_scores(const PresentBlock& block, const std::vector<double>& w, const std::vector<double>& b,
                        std::vector<double>& z) {
  const Index n = block.rows(), classes = std::ssize(b);
  std::vector<double> high(static_cast<std::size_t>(n)), low(high.size());
  z.resize(static_cast<std::size_t>(n * classes));
  for (Index k = 0; k < classes; ++k) {
    block.row_dots2(w.data() + k * block.cols(), high.data(), low.data());
    for (Index i = 0; i < n; ++i) z[i * classes + k] = (DoubleDouble(high[i], low[i]) + b[k]).hi;
  }
}

void SoftmaxPoint::lay_by_column() {
  const std::size_t count = b.size(), p = w.size() / count;
  by_column.resize(w.size());
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t j = 0; j < p; ++j) by_column[j * count + k] = w[k * p + j];
}

SoftmaxSums::SoftmaxSums(std::shared_ptr<const SoftmaxPoint> at)
    : point(std::move(at)), cols(static_cast<Index>(point->w.size()) / static_cast<Index>(point->b.size())),
      classes(point->classes), gradient(static_cast<std::size_t>(cols * classes)),
      slope(static_cast<std::size_t>(classes)) {}

void SoftmaxSums::accumulate(const Batch& batch) {
  Workspace room;
  accumulate(batch, room);
}

void SoftmaxSums::accumulate(const Batch& batch, Workspace& room) {
  PresentBlock& block = room.block;
  block.take(batch, 0);
  const Index n = block.rows();
  const bool along = point->along;
  const auto wide = static_cast<Index>(point->b.size());
  room.z.resize(static_cast<std::size_t>(n * wide));
  room.d.resize(static_cast<std::size_t>(n * classes));
  multiply_rows(room);
  for (Index i = 0; i < n; ++i) {
    double* const z = room.z.data() + i * wide;
    const double* const t = z + classes; // where there is a direction
    for (Index k = 0; k < wide; ++k) z[k] += point->b[k];
    const double v = block.v[i];
    const Index own = softmax_class(block.y[i], classes);
    const double z_own = z[own];
    loss += v * (softmax_of(z, classes) - z_own);
    weight += v;
    // About the class in front of which the others are small, and the own one as what these are not: a row that is all
    // but beyond doubt keeps the digits of its doubt.
    const double front = along ? t[std::max_element(z, z + classes) - z] : 0;
    double mean = 0;
    for (Index k = 0; along && k < classes; ++k) mean += z[k] * (t[k] - front);
    for (Index k = 0; k < classes; ++k) {
      const double d = along ? z[k] * (t[k] - front - mean) : k == own ? -other_shares(z, classes, k) : z[k];
      room.d[i * classes + k] = v * d;
      slope[k] += v * d;
    }
  }
  add_products(room);
  rows += n;
}

void SoftmaxSums::multiply_rows(Workspace& room) const {
  const auto* sparse = point->by_column.empty() ? nullptr : std::get_if<SparseView>(&room.block.x());
  const auto wide = static_cast<Index>(point->b.size());
  if (!sparse) return room.block.row_products(point->w.data(), wide, room.z.data());
  std::ranges::fill(room.z, 0.0);
  for (Index i = 0; i < sparse->rows; ++i) {
    const SparseRow row = sparse_row(*sparse, i);
    double* const z = room.z.data() + i * wide;
    for (Index s = 0; s < row.count; ++s) {
      const double* const w = point->by_column.data() + row.column(s) * wide;
      const double x = row.value[s];
      for (Index k = 0; k < wide; ++k) z[k] += x * w[k];
    }
  }
}

void SoftmaxSums::add_products(const Workspace& room) {
  if (point->by_column.empty()) return room.block.column_products(room.d.data(), classes, gradient.data());
  const auto* sparse = std::get_if<SparseView>(&room.block.x());
  if (!sparse) { // some sources serve a block densely
    std::vector<double> own(gradient.size());
    room.block.column_products(room.d.data(), classes, own.data());
    for (Index k = 0; k < classes; ++k)
      for (Index j = 0; j < cols; ++j) gradient[j * classes + k] += own[k * cols + j];
    return;
  }
  for (Index i = 0; i < sparse->rows; ++i) {
    const SparseRow row = sparse_row(*sparse, i);
    const double* const d = room.d.data() + i * classes;
    for (Index s = 0; s < row.count; ++s) {
      double* const g = gradient.data() + row.column(s) * classes;
      const double x = row.value[s];
      for (Index k = 0; k < classes; ++k) g[k] += x * d[k];
    }
  }
}

void SoftmaxSums::merge(const SoftmaxSums& other) {
  rows += other.rows;
  weight += other.weight;
  loss += other.loss;
  for (std::size_t j = 0; j < gradient.size(); ++j) gradient[j] += other.gradient[j];
  for (std::size_t k = 0; k < slope.size(); ++k) slope[k] += other.slope[k];
}

std::string SoftmaxSums::to_bytes() const {
  StateWriter out("soft");
  out.put(cols);
  out.put(classes);
  out.put(rows);
  for (const double x : {weight, loss}) out.put(x);
  out.put(gradient);
  out.put(slope);
  return out.take();
}

Result<SoftmaxSums> SoftmaxSums::from_bytes(std::string_view bytes) {
  StateReader in("soft", bytes);
  SoftmaxSums out;
  out.cols = in.index();
  out.classes = in.index();
  out.rows = in.index();
  for (double* x : {&out.weight, &out.loss}) *x = in.number();
  in.require(out.cols >= 0 && out.classes >= 0 && out.rows >= 0 && out.cols < (Index{1} << 40) / (out.classes + 1));
  if (in.good()) out.gradient = in.numbers(out.cols * out.classes);
  if (in.good()) out.slope = in.numbers(out.classes);
  if (!in.done()) return damaged_state("sums of softmax regression");
  return out;
}

} // namespace recta
