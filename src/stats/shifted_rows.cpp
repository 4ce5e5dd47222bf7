#include "stats/shifted_rows.hpp"

#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace recta {
namespace {

constexpr double kFar = 16; // deviations; up to there at most four bits are lost

struct Shifted final : BlockScratch {
  std::unique_ptr<BlockScratch> inner;
  std::vector<Index> number;
  std::vector<double> x, low;
};

void copy_sparse(const SparseView& from, double* to) {
  std::fill_n(to, from.rows * from.cols, 0.0);
  for (Index i = 0; i < from.rows; ++i) {
    const SparseRow row = sparse_row(from, i);
    for (Index s = 0; s < row.count; ++s) to[i * from.cols + row.column(s)] = row.value[s];
  }
}

} // namespace

double shift_of(double mean, double deviation) {
  if (!(std::abs(mean) > kFar * deviation) || !(deviation > 0) || !std::isfinite(mean)) return 0;
  const double grid = std::exp2(std::floor(std::log2(deviation)));
  const double shift = std::round(mean / grid) * grid;
  return std::isfinite(shift) ? shift : 0;
}

DoubleDouble constant_about(std::span<const double> shift, std::span<const double> w, double b, double sign) {
  DoubleDouble sum = b;
  for (std::size_t j = 0; j < shift.size(); ++j) sum += two_prod(sign * shift[j], w[j]);
  return sum;
}

std::vector<double> shifts_of(std::span<const double> mean, std::span<const double> deviation) {
  std::vector<double> out;
  for (std::size_t j = 0; j < mean.size(); ++j) out.push_back(shift_of(mean[j], deviation[j]));
  if (std::ranges::all_of(out, [](double m) { return m == 0; })) out.clear();
  return out;
}

std::unique_ptr<BlockScratch> ShiftedRows::scratch() const {
  auto made = std::make_unique<Shifted>();
  made->inner = rows_.scratch();
  return made;
}

Result<std::optional<Index>> ShiftedRows::claim(BlockScratch& scratch) {
  return rows_.claim(*static_cast<Shifted&>(scratch).inner);
}

Result<Batch> ShiftedRows::load(BlockScratch& scratch) const {
  auto& own = static_cast<Shifted&>(scratch);
  auto batch = rows_.load(*own.inner);
  if (!batch) return batch;
  const Index n = batch->rows(), p = batch->cols();
  own.x.resize(static_cast<std::size_t>(n * p));
  const auto* dense = std::get_if<MatrixView>(&batch->x);
  if (dense) {
    own.number.resize(static_cast<std::size_t>(n));
    std::iota(own.number.begin(), own.number.end(), Index{0});
    gather(*dense, own.number, own.x.data(), p);
  } else {
    copy_sparse(std::get<SparseView>(batch->x), own.x.data());
  }
  own.low.assign(own.x.size(), 0.0);
  bool rest = false;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < p; ++j) {
      const Index at = i * p + j;
      DoubleDouble x = two_sum(own.x[at], -shift_[j]);
      if (dense && dense->low != nullptr) x = x + element_low(*dense, i, j);
      own.x[at] = x.hi;
      own.low[at] = x.lo;
      rest = rest || x.lo != 0;
    }
  MatrixView view = MatrixView::row_major(own.x.data(), n, p);
  if (rest) view.low = own.low.data();
  batch->x = view;
  return batch;
}

} // namespace recta
