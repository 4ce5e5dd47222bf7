// Points rounded to floats, for searches that need no more of the kernel matrix and whose answer is checked with the
// points themselves: half the memory, and twice as many numbers at once. Where rounding would tell too little of the
// kernel, values are computed of the points as they are, and rounded at the end.
#pragma once

#include "kernel/points.hpp"

namespace recta::kernel {

class FloatPoints {
public:
  FloatPoints(const Kernel& kernel, const Points& points, Pool& pool);

  // Rows of the kernel matrix.
  void values_of(std::span<const Index> rows, std::span<float* const> out, Pool& pool) const;

private:
  bool suited() const; // products of rounded rows are near enough
  void values_of_some(std::span<const Index> rows, std::span<float* const> out, Pool& pool) const;

  const Kernel& kernel_;
  const Points& points_;
  AlignedVector<float> panels_; // of sixteen points side by side; empty: not suited
  std::vector<float> square_;
};

} // namespace recta::kernel
