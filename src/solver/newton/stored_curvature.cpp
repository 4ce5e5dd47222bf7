#include "solver/newton/stored_curvature.hpp"

#include <algorithm>

namespace recta {
namespace {

constexpr Index kLanes = 4;
constexpr Index kCurvatureTile = 256; // rows whose losses are looked at together

template <class I>
struct Row {
  const double* value;
  const I* index;
  Index count;
};
template <class I>
Row<I> entries_of(const SparseRows<I>& rows, Index i) {
  const auto& block = rows.blocks[static_cast<std::size_t>(i >> rows.shift)];
  const Index at = i & ((Index{1} << rows.shift) - 1);
  const I begin = block.start[at];
  return {block.value + begin, block.index + begin, static_cast<Index>(block.start[at + 1] - begin)};
}

template <class I>
double dot(const Row<I>& row, const double* w) {
  double sum = 0;
  for (Index s = 0; s < row.count; ++s) sum += row.value[s] * w[row.index[s]];
  return sum;
}

// Lower triangle by column: indices ascend within a row.
template <class I>
void add_products(const Row<I>& row, double c, Index p, double* products) {
  for (Index a = 0; a < row.count; ++a) {
    double* const column = products + static_cast<Index>(row.index[a]) * p;
    const double weighted = c * row.value[a];
    for (Index b = a; b < row.count; ++b) column[row.index[b]] += weighted * row.value[b];
  }
}

} // namespace

void StoredCurvature::Lane::clear(Index p) {
  loss = 0.0;
  weight = slope = squares = response = curved = 0;
  rows = 0;
  gradient.assign(static_cast<std::size_t>(p), 0.0);
  first.assign(gradient.size(), 0.0);
  products.assign(gradient.size() * gradient.size(), 0.0);
}

StoredCurvature::StoredCurvature(const HeldRows& rows, Pool& pool)
    : rows_(rows), pool_(pool), y_(rows.target(0)), lanes_(kLanes) {}

template <class Rows>
void StoredCurvature::visit(const Rows& rows, const CurvaturePoint& point, Index l, Lane& lane) const {
  const Index n = static_cast<Index>(y_.size()), p = rows_.cols(), begin = n * l / kLanes, end = n * (l + 1) / kLanes;
  lane.clear(p);
  const std::vector<double>&weight = rows_.weight(), &offset = rows_.offset();
  std::vector<double> z(kCurvatureTile), d(kCurvatureTile), c(kCurvatureTile), v(kCurvatureTile), y(kCurvatureTile);
  for (Index first = begin; first < end; first += kCurvatureTile) {
    const Index count = std::min(kCurvatureTile, end - first);
    for (Index k = 0; k < count; ++k) {
      const Index i = first + k;
      v[k] = weight.empty() ? 1 : weight[i];
      y[k] = v[k] > 0 ? y_[i] : 1; // a row of weight zero may hold anything
      z[k] = v[k] > 0 ? point.b + dot(entries_of(rows, i), point.w.data()) + (offset.empty() ? 0 : offset[i]) : 0;
    }
    lane.loss += point.loss->slopes({count, y.data(), z.data(), v.data()}, d.data(), c.data());
    for (Index k = 0; k < count; ++k) {
      if (!(v[k] > 0)) continue;
      const double slope = v[k] * d[k], curvature = v[k] * c[k];
      ++lane.rows, lane.weight += v[k], lane.slope += slope, lane.squares += slope * d[k], lane.curved += curvature;
      if (point.response && c[k] > 0) lane.response += slope * d[k] / c[k];
      const auto row = entries_of(rows, first + k);
      for (Index s = 0; s < row.count; ++s) {
        lane.gradient[row.index[s]] += slope * row.value[s];
        lane.first[row.index[s]] += curvature * row.value[s];
      }
      add_products(row, curvature, p, lane.products.data());
    }
  }
}

Curvature StoredCurvature::look(const std::shared_ptr<const CurvaturePoint>& point) {
  pool_.run(kLanes, [&](Index l, int) {
    Lane& lane = lanes_[static_cast<std::size_t>(l)];
    if (const auto* narrow = std::get_if<SparseRows<std::int32_t>>(&rows_.seen()))
      visit(*narrow, *point, l, lane);
    else
      visit(std::get<SparseRows<std::int64_t>>(rows_.seen()), *point, l, lane);
  });
  return gather(point);
}

Curvature StoredCurvature::gather(const std::shared_ptr<const CurvaturePoint>& point) const {
  Curvature out(point);
  const Index p = out.cols;
  Gram& gram = out.gram;
  gram.scatter.assign(static_cast<std::size_t>(p * p), 0.0);
  gram.scatter_low.assign(gram.scatter.size(), 0.0);
  DoubleDouble loss = 0.0;
  for (const Lane& lane : lanes_) {
    loss += lane.loss;
    out.rows += lane.rows, out.weight += lane.weight, out.slope += lane.slope;
    out.squares += lane.squares, out.response += lane.response, gram.weight += lane.curved;
    for (Index j = 0; j < p; ++j) {
      out.gradient[j] += lane.gradient[j];
      gram.mean[j] += lane.first[j];
      for (Index i = j; i < p; ++i) gram.scatter[i + j * p] += lane.products[i + j * p];
    }
  }
  out.loss = loss.hi, out.loss_low = loss.lo;
  gram.rows = out.rows;
  for (Index j = 0; j < p; ++j) gram.mean[j] /= gram.weight;
  for (Index j = 0; j < p; ++j)
    for (Index i = j; i < p; ++i) gram.scatter[i + j * p] -= gram.weight * gram.mean[i] * gram.mean[j];
  return out;
}

} // namespace recta
