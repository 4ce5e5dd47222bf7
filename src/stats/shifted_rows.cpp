#include "stats/shifted_rows.hpp"

#include "stats/dense_copy.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr double kFar = 16; // deviations; up to there at most four bits are lost

struct Shifted final : BlockScratch {
  std::unique_ptr<BlockScratch> inner;
  DenseCopy copy;
};

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

// Products are exact, and a sum is off by 3 u^2 of what it comes to.
double constant_about_error(std::span<const double> shift, std::span<const double> w, double b) {
  double terms = shift.empty() ? 0 : std::abs(b);
  for (std::size_t j = 0; j < shift.size(); ++j) terms += std::abs(shift[j] * w[j]);
  return 4 * 0x1p-106 * static_cast<double>(shift.size()) * terms;
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
  own.copy.take(*batch);
  bool rest = false;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < p; ++j) {
      const Index at = i * p + j;
      const DoubleDouble x = two_sum(own.copy.x[at], -shift_[j]) + own.copy.low[at];
      own.copy.x[at] = x.hi;
      own.copy.low[at] = x.lo;
      rest = rest || x.lo != 0;
    }
  MatrixView view = MatrixView::row_major(own.copy.x.data(), n, p);
  if (rest) view.low = own.copy.low.data();
  batch->x = view;
  return batch;
}

} // namespace recta
