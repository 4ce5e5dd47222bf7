#include "stats/softmax/class_squares.hpp"

#include "base/simd/kernels.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <numeric>

namespace recta {
namespace {

// The squares of a block's numbers, in the layout of the block, or by row.
class Squared {
public:
  explicit Squared(const PresentBlock& block) {
    if (const auto* sparse = std::get_if<SparseView>(&block.x())) {
      const SparseRow first = sparse_row(*sparse, 0), last = sparse_row(*sparse, sparse->rows - 1);
      const double* const end = last.value + last.count;
      for (const double* x = first.value; x < end; ++x) numbers_.push_back(*x * *x);
      SparseView squares = *sparse;
      squares.value = numbers_.data() - (first.value - sparse->value);
      view_ = squares;
      return;
    }
    const auto& dense = std::get<MatrixView>(block.x());
    numbers_.resize(static_cast<std::size_t>(dense.rows * dense.cols));
    std::vector<Index> all(static_cast<std::size_t>(dense.rows));
    std::iota(all.begin(), all.end(), Index{0});
    gather(dense, all, numbers_.data(), dense.cols);
    for (double& x : numbers_) x *= x;
    view_ = MatrixView::row_major(numbers_.data(), dense.rows, dense.cols);
  }
  void column_dots(const double* r, double* g) const {
    if (const auto* dense = std::get_if<MatrixView>(&view_)) return simd::kernels().column_dots(*dense, r, g);
    simd::kernels().sparse_column_dots(std::get<SparseView>(view_), r, g);
  }

private:
  std::vector<double> numbers_;
  std::variant<MatrixView, SparseView> view_;
};

} // namespace

ClassSquares::ClassSquares(std::shared_ptr<const SoftmaxPoint> at)
    : point(std::move(at)), cols(static_cast<Index>(point->w.size()) / point->classes), classes(point->classes),
      curvature(static_cast<std::size_t>(classes)), first(static_cast<std::size_t>(cols * classes)),
      second(first.size()) {}

void ClassSquares::accumulate(const Batch& batch) {
  PresentBlock block;
  block.take(batch, 0);
  const Index n = block.rows();
  if (n == 0) return;
  std::vector<double> z(static_cast<std::size_t>(n * classes));
  block.row_products(point->w.data(), classes, z.data());
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < classes; ++k) z[i * classes + k] += point->b[k];
    softmax_of(z.data() + i * classes, classes);
    weight += block.v[i];
  }
  const Squared squared(block);
  std::vector<double> class_weight(static_cast<std::size_t>(n));
  for (Index k = 0; k < classes; ++k) {
    for (Index i = 0; i < n; ++i) {
      class_weight[i] = block.v[i] * z[i * classes + k] * other_shares(&z[i * classes], classes, k);
      curvature[k] += class_weight[i];
    }
    block.column_dots(class_weight.data(), first.data() + k * cols);
    squared.column_dots(class_weight.data(), second.data() + k * cols);
  }
}

void ClassSquares::merge(const ClassSquares& other) {
  weight += other.weight;
  for (std::size_t k = 0; k < curvature.size(); ++k) curvature[k] += other.curvature[k];
  for (std::size_t s = 0; s < first.size(); ++s) {
    first[s] += other.first[s];
    second[s] += other.second[s];
  }
}

} // namespace recta
