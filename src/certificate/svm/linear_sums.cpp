#include "certificate/svm/linear_sums.hpp"

#include "base/numbers.hpp"
#include "base/simd/kernels.hpp"
#include "base/sums.hpp"
#include "design/outcome.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta::svm {
namespace {

struct RowSizes {
  double size = 0, square = 0; // sum_j |x_j w_j| and sum_j x_j^2
};

// In eight sums side by side, which compilers make vectors of.
RowSizes sizes_of(const double* x, std::span<const double> w) {
  constexpr std::size_t kSums = 8;
  double size[kSums] = {}, square[kSums] = {};
  std::size_t j = 0;
  for (; j + kSums <= w.size(); j += kSums)
    for (std::size_t k = 0; k < kSums; ++k) {
      size[k] += std::abs(x[j + k] * w[j + k]);
      square[k] += x[j + k] * x[j + k];
    }
  for (; j < w.size(); ++j) size[0] += std::abs(x[j] * w[j]), square[0] += x[j] * x[j];
  RowSizes out;
  for (std::size_t k = 0; k < kSums; ++k) out.size += size[k], out.square += square[k];
  return out;
}

Index numbers_of(const SparseView& view) {
  if (view.rows == 0) return 0;
  const SparseRow first = sparse_row(view, 0), last = sparse_row(view, view.rows - 1);
  return static_cast<Index>(last.value - first.value) + last.count;
}

// Whether a block has so many numbers that sums of its own take less time than they save.
bool sums_apart(const SparseView& view) {
  return numbers_of(view) >= 8 * view.cols;
}

// An overflow has no error term: the number is then infinite or NaN itself.
DoubleDouble pair_of(double high, double low) {
  return std::isfinite(low) ? two_sum(high, low) : DoubleDouble(high);
}

} // namespace

void LinearBlock::read(const LinearWeights& weights) {
  no_weights_ = std::ranges::all_of(weights.w, [](double w) { return w == 0; });
  scores_.resize(present_.size());
  CompensatedSum sum;
  for (const double beta : beta_) sum.add(beta), beta_size_ += std::abs(beta);
  beta_sum_ = sum.total();
  if (const auto* dense = std::get_if<MatrixView>(&batch_.x)) return read_dense(*dense, weights);
  read_sparse(std::get<SparseView>(batch_.x), weights);
}

// Other layouts than rows of doubles, and blocks without some of their rows, are copied.
void LinearBlock::read_dense(const MatrixView& view, const LinearWeights& weights) {
  const auto cols = view.cols, rows = std::ssize(present_);
  std::vector<double> copy;
  MatrixView x = view;
  if (view.scalar != Scalar::float64 || view.col_stride != 1 || rows < view.rows) {
    copy.resize(static_cast<std::size_t>(rows * cols));
    gather(view, present_, copy.data(), cols);
    x = MatrixView::row_major(copy.data(), rows, cols);
  }
  x.low = nullptr; // neither the model nor its scores have those digits
  std::vector<double> high(present_.size()), low(present_.size());
  simd::kernels().row_dots2(x, {weights.w.data(), nullptr}, {high.data(), low.data()});
  for (std::size_t k = 0; k < present_.size(); ++k) {
    const auto* row = static_cast<const double*>(x.data) + static_cast<Index>(k) * x.row_stride;
    const RowSizes sizes = sizes_of(row, weights.w);
    take_score(k, pair_of(high[k], low[k]), weights.b, sizes.size, sizes.square, cols);
  }
  for (auto* each : {&high_, &low_, &size_}) each->assign(weights.w.size(), 0.0);
  if (std::ranges::all_of(beta_, [](double beta) { return beta == 0; })) return;
  simd::kernels().column_dots2(x, {beta_.data(), nullptr}, {high_.data(), low_.data()});
  simd::kernels().column_abs_dots(x, beta_.data(), nullptr, size_.data());
}

void LinearBlock::read_sparse(const SparseView& view, const LinearWeights& weights) {
  const bool apart = sums_apart(view);
  if (apart)
    for (auto* each : {&high_, &low_, &size_}) each->assign(weights.w.size(), 0.0);
  for (std::size_t k = 0; k < present_.size(); ++k) {
    const SparseView one = rows_of(view, present_[k], 1);
    const SparseRow row = sparse_row(view, present_[k]);
    RowSizes sizes;
    for (Index s = 0; s < row.count; ++s) {
      sizes.size += std::abs(row.value[s] * weights.w[static_cast<std::size_t>(row.column(s))]);
      sizes.square += row.value[s] * row.value[s];
    }
    double high = 0, low = 0;
    simd::kernels().sparse_row_dots2(one, {weights.w.data(), nullptr}, {&high, &low});
    take_score(k, pair_of(high, low), weights.b, sizes.size, sizes.square, row.count);
    if (!apart || beta_[k] == 0) continue;
    simd::kernels().sparse_column_dots2(one, {&beta_[k], nullptr}, {high_.data(), low_.data()});
    simd::kernels().sparse_column_abs_dots(one, &beta_[k], size_.data());
  }
}

// Products and their compensated sum are off by at most (terms u)^2 of the sum of their sizes (base/sums.hpp), of which
// this is four times as much, for the rounding of the bound itself.
void LinearBlock::take_score(std::size_t k, DoubleDouble dot, double b, double size, double square, Index terms) {
  const DoubleDouble sum = std::isfinite(dot.hi) ? dot + b : dot;
  const double count = static_cast<double>(terms + 2), below = count * std::numeric_limits<double>::min();
  scores_[k] = {sum.hi, std::abs(sum.lo) + count * count * 0x1p-104 * (size + std::abs(b)) + below};
  if (no_weights_) scores_[k].off = 0;
  longest_ = std::max(longest_, std::sqrt(square));
}

LinearSums::LinearSums(const LinearWeights& weights) : constant_(weights.constant) {
  const std::size_t count = weights.w.size() + (constant_ > 0 ? 1 : 0);
  sum_.resize(count);
  for (auto* each : {&high_, &low_, &size_}) each->assign(count, 0.0);
}

void LinearSums::add(const LinearBlock& block) {
  for (std::size_t j = 0; j < block.high_.size(); ++j) {
    sum_[j] += pair_of(block.high_[j], block.low_[j]);
    size_[j] += block.size_[j];
  }
  if (constant_ > 0) {
    sum_.back() += block.beta_sum_ * constant_;
    size_.back() += block.beta_size_ * constant_;
  }
  if (!block.high_.empty()) return;
  const auto& view = std::get<SparseView>(block.batch_.x);
  for (std::size_t k = 0; k < block.present_.size(); ++k) {
    if (block.beta_[k] == 0) continue;
    const SparseView one = rows_of(view, block.present_[k], 1);
    simd::kernels().sparse_column_dots2(one, {&block.beta_[k], nullptr}, {high_.data(), low_.data()});
    simd::kernels().sparse_column_abs_dots(one, &block.beta_[k], size_.data());
  }
}

DoubleDouble LinearSums::g(std::size_t j) const {
  return sum_[j] + pair_of(high_[j], low_[j]);
}

Result<void> for_each_run(RowSource& source, const std::function<void(std::span<const Batch>)>& use) {
  constexpr std::size_t kTogether = 16;
  if (auto begun = source.rewind(); !begun) return begun;
  std::vector<std::unique_ptr<BlockScratch>> scratches;
  for (std::size_t k = 0; k < kTogether; ++k) scratches.push_back(source.scratch());
  for (std::vector<Batch> batches;; batches.clear()) {
    for (const auto& scratch : scratches) {
      const auto block = source.claim(*scratch);
      if (!block) return std::unexpected(block.error());
      if (!*block) break;
      const auto batch = source.load(*scratch);
      if (!batch) return std::unexpected(batch.error());
      batches.push_back(*batch);
    }
    if (!batches.empty()) use(batches);
    if (batches.size() < scratches.size()) return {};
  }
}

void write_row(const Batch& batch, Index i, std::span<double> x) {
  if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
    for (Index j = 0; j < dense->cols; ++j) x[at(j)] = element(*dense, i, j);
    return;
  }
  std::ranges::fill(x, 0.0);
  const SparseRow row = sparse_row(std::get<SparseView>(batch.x), i);
  for (Index s = 0; s < row.count; ++s) x[at(row.column(s))] += row.value[s];
}

} // namespace recta::svm
