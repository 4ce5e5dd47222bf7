#include "stats/softmax/softmax.hpp"

#include "base/double_double.hpp"
#include "base/simd/kernels.hpp"
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

void softmax_of_rows(double* z, Index rows, Index classes, double* log_sum) {
  constexpr Index kScoreTile = 64; // rows whose scores are still in the cache when they become probabilities
  std::vector<double> below(static_cast<std::size_t>(std::min(kScoreTile, rows) * classes));
  for (Index first = 0; first < rows; first += kScoreTile) {
    const Index count = std::min(kScoreTile, rows - first);
    for (Index i = 0; i < count; ++i) {
      const double* const scores = z + (first + i) * classes;
      double most = scores[0];
      for (Index k = 1; k < classes; ++k) most = std::max(most, scores[k]);
      for (Index k = 0; k < classes; ++k) below[i * classes + k] = scores[k] - most;
      log_sum[first + i] = most;
    }
    simd::kernels().exp_minus_abs(count * classes, below.data(), z + first * classes);
    for (Index i = first; i < first + count; ++i) {
      double* const exps = z + i * classes;
      double sum = 0;
      for (Index k = 0; k < classes; ++k) sum += exps[k];
      for (Index k = 0; k < classes; ++k) exps[k] /= sum;
      log_sum[i] += std::log(sum);
    }
  }
}

double other_shares(const double* p, Index classes, Index k) {
  if (p[k] <= 0.5) return 1 - p[k];
  double sum = 0;
  for (Index l = 0; l < classes; ++l) sum += l == k ? 0 : p[l];
  return sum;
}

void drop_tail(double* p, Index classes, Index true_class, double edge) {
  const Index largest = std::max_element(p, p + classes) - p;
  for (Index k = 0; k < classes; ++k) {
    if (k == largest || k == true_class || !(p[k] < edge)) continue;
    p[largest] += p[k];
    p[k] = 0;
  }
}

void compensated_scores(const PresentBlock& block, const std::vector<double>& w, const std::vector<double>& b,
                        std::vector<double>& z, Pool& pool) {
  const Index n = block.rows(), classes = std::ssize(b);
  z.resize(static_cast<std::size_t>(n * classes));
  pool.run(classes, [&](Index k, int) {
    std::vector<double> high(static_cast<std::size_t>(n)), low(high.size());
    block.row_dots2(w.data() + k * block.cols(), high.data(), low.data());
    for (Index i = 0; i < n; ++i) z[i * classes + k] = (DoubleDouble(high[i], low[i]) + b[k]).hi;
  });
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
  room.d.resize(static_cast<std::size_t>(block.rows() * classes));
  score(*point, block, room.z);
  if (point->from)
    curve_rows(room);
  else
    look_at_rows(room);
  add_products(room);
  rows += block.rows();
}

void SoftmaxSums::look_at_rows(Workspace& room) {
  const PresentBlock& block = room.block;
  const Index n = block.rows();
  for (auto* each : {&room.true_score, &room.log_sum}) each->resize(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) room.true_score[i] = room.z[i * classes + softmax_class(block.y[i], classes)];
  softmax_of_rows(room.z.data(), n, classes, room.log_sum.data());
  for (Index i = 0; i < n; ++i) {
    const double* const p = room.z.data() + i * classes;
    const double v = block.v[i];
    loss += v * (room.log_sum[i] - room.true_score[i]);
    weight += v;
    if (point->shares) std::copy_n(p, classes, point->shares + (block.first_row + block.number[i]) * classes);
    // The row's own share is computed from the others: a row that is nearly certain keeps the digits of its doubt.
    const Index true_class = softmax_class(block.y[i], classes);
    double* const d = room.d.data() + i * classes;
    for (Index k = 0; k < classes; ++k) d[k] = v * p[k];
    d[true_class] = -v * other_shares(p, classes, true_class);
    for (Index k = 0; k < classes; ++k) slope[k] += d[k];
  }
}

void SoftmaxSums::curve_rows(Workspace& room) {
  const PresentBlock& block = room.block;
  const double* const shares = point->from->shares;
  if (!shares) {
    score(*point->from, block, room.p);
    room.log_sum.resize(static_cast<std::size_t>(block.rows()));
    softmax_of_rows(room.p.data(), block.rows(), classes, room.log_sum.data());
  }
  for (Index i = 0; i < block.rows(); ++i) {
    const double* const p =
        shares ? shares + (block.first_row + block.number[i]) * classes : room.p.data() + i * classes;
    const double* const t = room.z.data() + i * classes;
    const double v = block.v[i];
    weight += v;
    // Relative to the largest class, beside which the others are small, for the same reason.
    const double front = t[std::max_element(p, p + classes) - p];
    double mean = 0;
    for (Index k = 0; k < classes; ++k) mean += p[k] * (t[k] - front);
    double* const d = room.d.data() + i * classes;
    for (Index k = 0; k < classes; ++k) {
      d[k] = v * (p[k] * (t[k] - front - mean));
      slope[k] += d[k];
    }
  }
}

void SoftmaxSums::score(const SoftmaxPoint& at, const PresentBlock& block, std::vector<double>& z) {
  const Index n = block.rows(), classes = at.classes;
  z.resize(static_cast<std::size_t>(n * classes));
  const auto* sparse = at.by_column.empty() ? nullptr : std::get_if<SparseView>(&block.x());
  if (!sparse) block.row_products(at.w.data(), classes, z.data());
  if (sparse) std::ranges::fill(z, 0.0);
  for (Index i = 0; sparse && i < n; ++i) {
    const SparseRow row = sparse_row(*sparse, i);
    double* const scores = z.data() + i * classes;
    for (Index s = 0; s < row.count; ++s) {
      const double* const w = at.by_column.data() + row.column(s) * classes;
      const double x = row.value[s];
      for (Index k = 0; k < classes; ++k) scores[k] += x * w[k];
    }
  }
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < classes; ++k) z[i * classes + k] += at.b[k];
}

void SoftmaxSums::add_products(const Workspace& room) {
  if (point->by_column.empty()) return room.block.column_products(room.d.data(), classes, gradient.data());
  const auto* sparse = std::get_if<SparseView>(&room.block.x());
  if (!sparse) { // some sources serve a block densely
    std::vector<double> products(gradient.size());
    room.block.column_products(room.d.data(), classes, products.data());
    for (Index k = 0; k < classes; ++k)
      for (Index j = 0; j < cols; ++j) gradient[j * classes + k] += products[k * cols + j];
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

} // namespace recta
