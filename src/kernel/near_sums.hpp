// sum_k beta_k k(x, x_k) from products of rows rounded to floats, with a bound that holds: at half the work of products
// of doubles, where it is enough to know on which side of a number the sum is. All that comes after the products is
// double.
#pragma once

#include "kernel/points.hpp"

namespace recta::kernel {

class NearSums {
public:
  NearSums(const Kernel& kernel, const Points& points, std::span<const double> beta, Pool& pool);
  // Dense rows of many columns, whose products are most of the work.
  static bool suited(const Kernel& kernel, const Points& points);

  // The `error` holds all roundings, those of the kernel's values included.
  std::vector<Expansion> expansions(const Queries& queries) const;

private:
  void products(Index first, Index count, const float* x, Index rows, double* out) const;

  const Kernel& kernel_;
  const Points& points_;
  std::span<const double> beta_;
  double mass_ = 0; // sum |beta|
  AlignedVector<float> panels_;
};

} // namespace recta::kernel
