// Points rounded to floats, for searches that need no more of the kernel matrix and whose answer is checked with the
// points themselves: half the memory, and twice as many numbers at once. Where rounding would tell too little of the
// kernel, values are computed of the points as they are, and rounded at the end.
#pragma once

#include "base/simd/kernels.hpp"
#include "kernel/points.hpp"

namespace recta::kernel {

// In panels of sixteen, as base/simd's products of floats have them; `points` are dense.
AlignedVector<float> float_panels(const Points& points, Pool& pool);

class FloatPoints {
public:
  FloatPoints(const Kernel& kernel, const Points& points, Pool& pool);
  FloatPoints(const FloatPoints&) = delete;
  FloatPoints& operator=(const FloatPoints&) = delete;
  // Some columns of the kernel matrix, of what outlives them and can be narrowed.
  FloatPoints(const FloatPoints& all, std::span<const Index> columns);
  bool can_narrow() const { return !panels_.empty(); }

  // Rows of the kernel matrix, by their numbers among all points.
  void values_of(std::span<const Index> rows, std::span<float* const> out, Pool& pool) const;

private:
  bool suited() const;                   // products of rounded rows are near enough
  const float* place_of(Index i) const { // of the first number of a point; the next is sixteen numbers on
    return panels_.data() + (i - i % simd::kFloatLanes) * points_.cols() + i % simd::kFloatLanes;
  }
  void values_of_some(std::span<const Index> rows, std::span<float* const> out, Pool& pool) const;

  const Kernel& kernel_;
  const Points& points_;
  const FloatPoints* all_ = this; // where rows are looked up
  AlignedVector<float> panels_;   // of sixteen points side by side; empty: not suited
  std::vector<float> square_;     // of every column
};

} // namespace recta::kernel
