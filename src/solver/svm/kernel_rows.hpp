// Rows of the kernel matrix on demand, the least recently used ones given up when the memory allowed is full.
#pragma once

#include "kernel/points.hpp"

#include <memory>
#include <span>
#include <vector>

namespace recta::svm {

class KernelRows {
public:
  // Never fewer than `at_once` rows: as many as one call asks for.
  KernelRows(const kernel::Kernel& kernel, const kernel::Points& points, std::uint64_t bytes, Index at_once,
             Pool& pool);

  void use(Pool& pool) { pool_ = &pool; } // from now on
  bool fits(std::uint64_t bytes, Index at_once) const { return slots_ == slots(bytes, at_once); }
  Index columns() const { return points_.count(); }
  Index most() const { return slots_; } // rows held at most
  double diagonal(Index i) const { return diagonal_[static_cast<std::size_t>(i)]; }
  // Pointers to the rows asked for, at most at_once of them; valid until the next call.
  const std::vector<const double*>& rows(std::span<const Index> wanted);
  Index computed() const { return computed_; }

private:
  Index free_slot();
  Index slots(std::uint64_t bytes, Index at_once) const; // rows that the memory has room for

  const kernel::Kernel& kernel_;
  const kernel::Points& points_;
  Pool* pool_;
  Index slots_, used_ = 0, clock_ = 0, computed_ = 0, hand_ = 0;
  std::unique_ptr<double[]> values_; // not cleared: pages are touched when rows are computed
  std::vector<double> diagonal_;
  std::vector<Index> slot_of_, row_in_, stamp_;
  std::vector<const double*> out_;
};

} // namespace recta::svm
