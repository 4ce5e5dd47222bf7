#include "solver/softmax/class_panels.hpp"

#include "stats/rows.hpp"
#include "stats/softmax/softmax.hpp"

#include <algorithm>
#include <array>

namespace recta {
namespace {

constexpr Index kWidest = 8;   // classes: one line of the cache
constexpr Index kLines = 1024; // rows or columns per task

struct StoredLines { // compressed: rows, or columns
  const std::int64_t* start;
  const std::int32_t* index;
  const double* value;
  Index count;
};

// out[line] = begin + the sum over the line's stored numbers of value times in[index], for W classes at once.
template <std::size_t W>
void combine(StoredLines lines, const double* in, const double* begin, double* out) {
  const auto [start, index, value, count] = lines;
  for (Index line = 0; line < count; ++line) {
    std::array<double, W> sum;
    std::copy_n(begin, W, sum.begin());
    for (std::int64_t s = start[line]; s < start[line + 1]; ++s) {
      const double* const other = in + static_cast<std::size_t>(index[s]) * W;
      const double x = value[s];
      for (std::size_t c = 0; c < W; ++c) sum[c] += x * other[c];
    }
    std::copy_n(sum.begin(), W, out + static_cast<std::size_t>(line) * W);
  }
}

using Combine = decltype(&combine<1>);
constexpr std::array<Combine, kWidest> kCombine{combine<1>, combine<2>, combine<3>, combine<4>,
                                                combine<5>, combine<6>, combine<7>, combine<8>};

} // namespace

ClassPanels::ClassPanels(Index cols, Index classes, Pool& pool)
    : cols_(cols), classes_(classes), panels_((classes + kWidest - 1) / kWidest),
      width_((classes + panels_ - 1) / panels_), pool_(&pool) {}

Result<ClassPanels> ClassPanels::read(RowSource& source, Index classes, Pool& pool) {
  ClassPanels out(source.cols(), classes, pool);
  const auto read = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
    out.take(batch);
    return {};
  });
  if (!read) return std::unexpected(read.error());
  out.lay_by_column();
  return out;
}

void ClassPanels::take(const Batch& batch) {
  PresentBlock block;
  block.take(batch, 0);
  const auto put = [&](Index j, double x) {
    if (x == 0) return;
    by_row_.index.push_back(static_cast<std::int32_t>(j));
    by_row_.value.push_back(x);
  };
  for (Index i = 0; i < block.rows(); ++i) {
    label_.push_back(softmax_class(block.y[i], classes_));
    weight_.push_back(block.v[i]);
    if (const auto* dense = std::get_if<MatrixView>(&block.x())) {
      for (Index j = 0; j < cols_; ++j) put(j, element(*dense, i, j));
    } else {
      const SparseRow row = sparse_row(std::get<SparseView>(block.x()), i);
      for (Index s = 0; s < row.count; ++s) put(row.column(s), row.value[s]);
    }
    by_row_.start.push_back(std::ssize(by_row_.index));
  }
}

void ClassPanels::lay_by_column() {
  std::vector<std::int64_t> next(static_cast<std::size_t>(cols_) + 1);
  for (const std::int32_t j : by_row_.index) ++next[static_cast<std::size_t>(j) + 1];
  for (std::size_t j = 1; j < next.size(); ++j) next[j] += next[j - 1];
  by_column_.start = next;
  by_column_.index.resize(by_row_.index.size());
  by_column_.value.resize(by_row_.value.size());
  for (Index i = 0; i < rows(); ++i)
    for (std::int64_t s = by_row_.start[i]; s < by_row_.start[i + 1]; ++s) {
      const std::int64_t at = next[by_row_.index[s]]++;
      by_column_.index[at] = static_cast<std::int32_t>(i);
      by_column_.value[at] = by_row_.value[s];
    }
}

void ClassPanels::multiply(const double* v, const std::vector<double>& shift, double* z) const {
  const Index n = rows(), chunks = (n + kLines - 1) / kLines;
  const Combine sum = kCombine[width_ - 1];
  pool_->run(panels_ * chunks, [&](Index task, int) {
    const Index q = task / chunks, first = task % chunks * kLines;
    std::array<double, kWidest> begin{};
    for (Index c = 0; c < width_ && q * width_ + c < classes_; ++c) begin[c] = shift[q * width_ + c];
    sum({by_row_.start.data() + first, by_row_.index.data(), by_row_.value.data(), std::min(kLines, n - first)},
        v + q * cols_ * width_, begin.data(), z + (q * n + first) * width_);
  });
}

void ClassPanels::by_columns(const Stored& x, const double* d, double* g) const {
  const Index chunks = (cols_ + kLines - 1) / kLines;
  const Combine sum = kCombine[width_ - 1];
  constexpr std::array<double, kWidest> kZero{};
  pool_->run(panels_ * chunks, [&](Index task, int) {
    const Index q = task / chunks, first = task % chunks * kLines;
    sum({x.start.data() + first, x.index.data(), x.value.data(), std::min(kLines, cols_ - first)},
        d + q * rows() * width_, kZero.data(), g + (q * cols_ + first) * width_);
  });
}

void ClassPanels::transposed_squares(const double* d, double* g) const {
  Stored squared = by_column_;
  for (double& x : squared.value) x *= x;
  by_columns(squared, d, g);
}

} // namespace recta
