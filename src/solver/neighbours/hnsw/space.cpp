#include "solver/neighbours/hnsw/space.hpp"

#include "base/simd/kernels.hpp"
#include "stats/aligned.hpp"

#include <algorithm>
#include <cmath>

namespace recta::neighbours {
namespace {

class FloatSpace final : public Space {
public:
  FloatSpace(Index cols, FloatNodes nodes)
      : nodes_(static_cast<Index>(nodes.x.size()) / cols), cols_(cols), floats_(std::move(nodes)) {}

  Index nodes() const override { return nodes_; }
  const FloatNodes* floats() const override { return &floats_; }
  void expect(NodeNumber node) const override {
    const float* row = floats_.x.view().address() + static_cast<Index>(node) * cols_;
    for (Index j = 0; j < cols_; j += 16) __builtin_prefetch(row + j);
  }
  void prepare(const double* query, std::vector<double>& out) const override {
    out.resize(at(cols_));
    for (Index j = 0; j < cols_; ++j) out[at(j)] = (query[j] - floats_.centre[at(j)]) * floats_.scale;
  }
  void prepare(NodeNumber node, std::vector<double>& out) const override {
    const float* row = floats_.x.from(at(static_cast<Index>(node) * cols_), at(cols_));
    out.assign(row, row + cols_);
  }
  void distances(const std::vector<double>& prepared, std::span<const NodeNumber> list, double* out) const override {
    const auto& x = floats_.x.view();
    if (x.in_file())
      for (const NodeNumber node : list) (void)x.from(at(static_cast<Index>(node) * cols_), at(cols_));
    simd::kernels().list_distances(prepared.data(), x.address(), cols_, list.data(), std::ssize(list), out);
  }
  // Each coordinate of a node was rounded by at most 2^-24 of itself, which is below 2 here, and moving it lost less: a
  // node is no farther than sqrt(p) 2^-22 from its row. A sum of squares is off by less than 2^-32 of itself.
  double least_measured(double squared) const override {
    const double rounded = std::sqrt(static_cast<double>(cols_)) * 0x1p-22;
    return std::max(0.0, std::sqrt(squared) * (1 - 0x1p-32) - rounded) / floats_.scale * (1 - 0x1p-32);
  }

private:
  Index nodes_, cols_;
  FloatNodes floats_;
};

// The rows lie in whole cache lines if they have a multiple of 16 columns, and in large pages: walks read them at
// random.
FloatNodes float_nodes(const Points& points, const DistinctRows& rows, std::vector<double> centre, double scale) {
  const Index p = points.cols;
  std::vector<float, LargeAllocator<float>> x(at(rows.nodes() * p));
  for (Index v = 0; v < rows.nodes(); ++v) {
    const double* row = points.row(rows.row_of(v));
    for (Index j = 0; j < p; ++j) x[at(v * p + j)] = static_cast<float>((row[j] - centre[at(j)]) * scale);
  }
  return {std::move(centre), scale, std::move(x)};
}

template <class M>
class MeasuredSpace final : public Space {
public:
  MeasuredSpace(const M& measure, const Points& points, DistinctRows rows)
      : measure_(measure), points_(points), rows_(std::move(rows)) {}

  Index nodes() const override { return rows_.nodes(); }
  void prepare(const double* query, std::vector<double>& out) const override {
    out.assign(query, query + points_.cols);
  }
  void prepare(NodeNumber node, std::vector<double>& out) const override {
    prepare(points_.row(rows_.row_of(node)), out);
  }
  void distances(const std::vector<double>& prepared, std::span<const NodeNumber> list, double* out) const override {
    for (const NodeNumber node : list)
      *out++ = measure_.reduced(prepared.data(), points_.row(rows_.row_of(node)), points_.cols);
  }

private:
  M measure_;
  Points points_;
  DistinctRows rows_;
};

} // namespace

std::unique_ptr<Space> make_space(const Metric& metric, const Points& points, const DistinctRows& rows) {
  const Measure measure = measure_of(metric, points);
  if (std::holds_alternative<Euclidean>(measure)) {
    std::vector<double> centre(at(points.cols));
    const auto n = static_cast<double>(rows.nodes());
    double largest = 0;
    for (Index v = 0; v < rows.nodes(); ++v) {
      const double* row = points.row(rows.row_of(v));
      for (Index j = 0; j < points.cols; ++j) centre[at(j)] += row[j] / n;
    }
    for (Index v = 0; v < rows.nodes(); ++v) {
      const double* row = points.row(rows.row_of(v));
      for (Index j = 0; j < points.cols; ++j) largest = std::max(largest, std::fabs(row[j] - centre[at(j)]));
    }
    if (largest > 0x1p-900 && largest < 0x1p900)
      return std::make_unique<FloatSpace>(
          points.cols, float_nodes(points, rows, std::move(centre), std::ldexp(1.0, -std::ilogb(largest))));
  }
  return make_space(metric, points, rows, {});
}

std::unique_ptr<Space> make_space(const Metric& metric, const Points& points, const DistinctRows& rows,
                                  FloatNodes known) {
  const Measure measure = measure_of(metric, points);
  if (!known.x.empty()) return std::make_unique<FloatSpace>(points.cols, std::move(known));
  return std::visit(
      [&](const auto& one) -> std::unique_ptr<Space> {
        return std::make_unique<MeasuredSpace<std::decay_t<decltype(one)>>>(one, points, rows);
      },
      measure);
}

} // namespace recta::neighbours
