// The kernel matrix of a machine while it is searched for: rows rounded to floats as far as they tell enough, and exact
// ones after that. There is one kind at a time, within the memory given.
#pragma once

#include "solver/svm/kernel_rows.hpp"

namespace recta::svm {

class KernelMatrix {
public:
  // The kernel and the points outlive it. Never fewer than `at_once` rows: as many as are asked for together.
  KernelMatrix(const kernel::Kernel& kernel, const kernel::Points& points, std::uint64_t bytes, Index at_once,
               Pool& pool)
      : kernel_(kernel), points_(points), bytes_(bytes), at_once_(at_once), pool_(&pool) {}

  const kernel::Kernel& kernel() const { return kernel_; }
  const kernel::Points& points() const { return points_; }
  std::uint64_t bytes() const { return bytes_; }
  void use(Pool& pool); // from now on

  // Whether to begin with rounded rows. Those of few points cost little either way, and the values of texts too much to
  // be computed twice; exact rows that are there are taken.
  bool begins_rounded() const { return !exact_ && !points_.of_texts() && points_.count() > kFewRows; }
  KernelRows<float>& rounded();
  KernelRows<double>& exact(); // the rounded ones are given up

private:
  static constexpr Index kFewRows = 2048;

  const kernel::Kernel& kernel_;
  const kernel::Points& points_;
  std::uint64_t bytes_;
  Index at_once_;
  Pool* pool_;
  std::unique_ptr<KernelRows<float>> rounded_;
  std::unique_ptr<KernelRows<double>> exact_;
};

} // namespace recta::svm
