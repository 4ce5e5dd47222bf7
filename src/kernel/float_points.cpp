#include "kernel/float_points.hpp"

#include "base/numbers.hpp"

namespace recta::kernel {
namespace {

constexpr Index kPointsOfTask = 384, kRowsTogether = 64; // panels of a task stay in the cache, as do its values

} // namespace

AlignedVector<float> float_panels(const Points& points, Pool& pool) {
  const Index cols = points.cols(), count = points.count(), lanes = simd::kFloatLanes;
  AlignedVector<float> out(at((count + lanes - 1) / lanes * lanes * cols));
  pool.run((count + lanes - 1) / lanes, [&](Index task, int) {
    std::vector<double> x(at(cols));
    float* const panel = out.data() + task * lanes * cols;
    for (Index i = task * lanes; i < std::min(count, (task + 1) * lanes); ++i) {
      points.row(i, x.data());
      for (Index j = 0; j < cols; ++j) panel[j * lanes + i % lanes] = static_cast<float>(x[at(j)]);
    }
  });
  return out;
}

FloatPoints::FloatPoints(const Kernel& kernel, const Points& points, Pool& pool) : kernel_(kernel), points_(points) {
  if (!suited()) return;
  panels_ = float_panels(points, pool);
  square_.assign(points.squares().begin(), points.squares().end());
}

FloatPoints::FloatPoints(const FloatPoints& all, std::span<const Index> columns)
    : kernel_(all.kernel_), points_(all.points_), all_(all.all_) {
  const Index cols = points_.cols(), count = std::ssize(columns), lanes = simd::kFloatLanes;
  panels_.resize(at((count + lanes - 1) / lanes * lanes * cols));
  for (Index k = 0; k < count; ++k) {
    const Index i = columns[at(k)];
    const float* const from = all_->place_of(i);
    float* const to = panels_.data() + (k - k % lanes) * cols + k % lanes;
    for (Index j = 0; j < cols; ++j) to[j * lanes] = from[j * lanes];
    square_.push_back(all_->square_[at(i)]);
  }
}

// Roundings are bounded by what they are at the worst, which is some ten to hundred times what they are.
bool FloatPoints::suited() const {
  constexpr double kNear = 2e-4, kFloatUnit = 0x1p-24, kMostSquare = 1e30;
  if (points_.of_texts() || points_.sparse() || kernel_.by_terms() || kernel_.by_place()) return false;
  const double longest = points_.longest();
  double most = 0;
  for (Index i = 0; i < points_.count(); ++i) most = std::max(most, std::abs(points_.own_value(kernel_, i)));
  return longest * longest < kMostSquare && most < kMostSquare &&
         kernel_.error({points_.cols(), longest, longest, kFloatUnit}) <= kNear * most;
}

void FloatPoints::values_of(std::span<const Index> rows, std::span<float* const> out, Pool& pool) const {
  if (panels_.empty()) return points_.values_of(kernel_, rows, out, &pool);
  constexpr Index kTogether = 512;
  for (Index from = 0; from < std::ssize(rows); from += kTogether) {
    const std::size_t some = std::min(at(kTogether), rows.size() - at(from));
    values_of_some(rows.subspan(at(from), some), out.subspan(at(from), some), pool);
  }
}

void FloatPoints::values_of_some(std::span<const Index> rows, std::span<float* const> out, Pool& pool) const {
  const Index cols = points_.cols(), count = std::ssize(square_), lanes = simd::kFloatLanes, many = std::ssize(rows);
  std::vector<float> x(at(many * cols));
  for (Index r = 0; r < many; ++r) {
    const float* const panel = all_->place_of(rows[at(r)]);
    for (Index j = 0; j < cols; ++j) x[at(r * cols + j)] = panel[j * lanes];
  }
  pool.run((count + kPointsOfTask - 1) / kPointsOfTask, [&](Index task, int) {
    const Index first = task * kPointsOfTask, points = std::min(count - first, kPointsOfTask);
    const simd::FloatPanels panels{panels_.data() + first * cols, lanes * cols, (points + lanes - 1) / lanes};
    float tile[kRowsTogether * kPointsOfTask]; // a panel may reach beyond the last point
    for (Index r = 0; r < many; r += kRowsTogether) {
      const Index some = std::min(kRowsTogether, many - r);
      simd::kernels().many_float_panel_products({x.data() + r * cols, some, cols, cols}, panels, {tile, kPointsOfTask});
      for (Index q = 0; q < some; ++q) {
        float* const values = tile + q * kPointsOfTask;
        kernel_.float_values({all_->square_[at(rows[at(r + q)])], square_.data() + first, points, values});
        std::copy_n(values, points, out[at(r + q)] + first);
      }
    }
  });
}

} // namespace recta::kernel
