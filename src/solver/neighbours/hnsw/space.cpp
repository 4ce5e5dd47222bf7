#include "solver/neighbours/hnsw/space.hpp"

#include "base/simd/kernels.hpp"

#include <algorithm>
#include <cmath>

namespace recta::neighbours {
namespace {

class FloatSpace final : public Space {
public:
  FloatSpace(const Points& points, const std::vector<Index>& rows, std::vector<double> centre, double scale)
      : nodes_(std::ssize(rows)), cols_(points.cols), centre_(std::move(centre)), scale_(scale),
        x_(at(nodes_ * points.cols)) {
    for (Index v = 0; v < nodes_; ++v)
      for (Index j = 0; j < cols_; ++j) x_[at(v * cols_ + j)] = static_cast<float>(moved(points.row(rows[at(v)]), j));
  }

  Index nodes() const override { return nodes_; }
  void expect(NodeNumber node) const override {
    const float* row = x_.data() + static_cast<Index>(node) * cols_;
    for (Index j = 0; j < cols_; j += 16) __builtin_prefetch(row + j);
  }
  void prepare(const double* query, std::vector<double>& out) const override {
    out.resize(at(cols_));
    for (Index j = 0; j < cols_; ++j) out[at(j)] = moved(query, j);
  }
  void prepare(NodeNumber node, std::vector<double>& out) const override {
    const float* row = x_.data() + static_cast<Index>(node) * cols_;
    out.assign(row, row + cols_);
  }
  void distances(const std::vector<double>& prepared, std::span<const NodeNumber> list, double* out) const override {
    simd::kernels().list_distances(prepared.data(), x_.data(), cols_, list.data(), std::ssize(list), out);
  }
  // Each coordinate of a node was rounded by at most 2^-24 of itself, which is below 2 here, and moving it lost less: a
  // node is no farther than sqrt(p) 2^-22 from its row. A sum of squares is off by less than 2^-32 of itself.
  double least_measured(double squared) const override {
    const double rounded = std::sqrt(static_cast<double>(cols_)) * 0x1p-22;
    return std::max(0.0, std::sqrt(squared) * (1 - 0x1p-32) - rounded) / scale_ * (1 - 0x1p-32);
  }

private:
  double moved(const double* row, Index j) const { return (row[j] - centre_[at(j)]) * scale_; }

  Index nodes_, cols_;
  std::vector<double> centre_;
  double scale_;
  std::vector<float> x_;
};

template <class M>
class MeasuredSpace final : public Space {
public:
  MeasuredSpace(const M& measure, const Points& points, std::vector<Index> rows)
      : measure_(measure), points_(points), rows_(std::move(rows)) {}

  Index nodes() const override { return std::ssize(rows_); }
  void prepare(const double* query, std::vector<double>& out) const override {
    out.assign(query, query + points_.cols);
  }
  void prepare(NodeNumber node, std::vector<double>& out) const override { prepare(points_.row(rows_[node]), out); }
  void distances(const std::vector<double>& prepared, std::span<const NodeNumber> list, double* out) const override {
    for (const NodeNumber node : list)
      *out++ = measure_.reduced(prepared.data(), points_.row(rows_[node]), points_.cols);
  }

private:
  M measure_;
  Points points_;
  std::vector<Index> rows_;
};

} // namespace

std::unique_ptr<Space> make_space(const Metric& metric, const Points& points, std::vector<Index> rows) {
  const Measure measure = measure_of(metric, points);
  if (std::holds_alternative<Euclidean>(measure)) {
    std::vector<double> centre(at(points.cols));
    const auto n = static_cast<double>(rows.size());
    double largest = 0;
    for (const Index i : rows)
      for (Index j = 0; j < points.cols; ++j) centre[at(j)] += points.row(i)[j] / n;
    for (const Index i : rows)
      for (Index j = 0; j < points.cols; ++j) largest = std::max(largest, std::fabs(points.row(i)[j] - centre[at(j)]));
    if (largest > 0x1p-900 && largest < 0x1p900)
      return std::make_unique<FloatSpace>(points, rows, std::move(centre), std::ldexp(1.0, -std::ilogb(largest)));
  }
  return std::visit(
      [&](const auto& one) -> std::unique_ptr<Space> {
        return std::make_unique<MeasuredSpace<std::decay_t<decltype(one)>>>(one, points, std::move(rows));
      },
      measure);
}

} // namespace recta::neighbours
