// Rows of the kernel matrix on demand, the least recently used ones given up when the memory allowed is full. Doubles
// are the kernel itself; floats are it rounded, in half the memory (kernel/float_points.hpp).
#pragma once

#include "kernel/float_points.hpp"

#include <recta/dataset.hpp>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace recta::svm {

template <class Number>
class KernelRows {
public:
  // Never fewer than `at_once` rows: as many as one call asks for.
  KernelRows(const kernel::Kernel& kernel, const kernel::Points& points, std::uint64_t bytes, Index at_once,
             Pool& pool);
  // The rows and columns of some points of `all`, numbered anew, in its memory, which it gives up. It outlives them.
  KernelRows(KernelRows& all, std::vector<Index> some, Index at_once)
    requires(sizeof(Number) < sizeof(double));
  bool can_narrow() const { return floats_ && floats_->can_narrow(); }
  // f_c += sum_k by_k k(c, row_k) for some columns c; nothing is kept of these rows.
  void add_to(std::span<const Index> columns, std::span<const Index> rows, std::span<const double> by,
              std::vector<double>& f) const
    requires(sizeof(Number) < sizeof(double));

  void use(Pool& pool) { pool_ = &pool; } // from now on
  Index columns() const { return columns_; }
  Index most() const { return slots_; } // rows held at most
  double diagonal(Index i) const { return diagonal_[static_cast<std::size_t>(i)]; }
  // Pointers to the rows asked for, at most at_once of them; valid until the next call.
  const std::vector<const Number*>& rows(std::span<const Index> wanted);
  Index computed() const { return computed_; }

private:
  struct Free {
    void operator()(Number* values) const { free_large(values); }
  };
  std::vector<Index> points_of(std::span<const Index> numbers) const; // their numbers among all points
  void allocate();
  void forget(); // all rows, and their memory
  Index free_slot();
  Index slots(Index at_once) const; // rows that the memory has room for
  void compute(std::span<const Index> wanted, std::span<Number* const> places);

  const kernel::Kernel& kernel_;
  const kernel::Points& points_;
  std::optional<kernel::FloatPoints> floats_;
  Pool* pool_;
  std::uint64_t bytes_;
  Index columns_;
  std::vector<Index> some_; // the points, if they are not all
  Index slots_, used_ = 0, clock_ = 0, computed_ = 0, hand_ = 0;
  std::unique_ptr<Number[], Free> values_; // not cleared: pages are touched when rows are computed
  std::vector<double> diagonal_;
  std::vector<Index> slot_of_, row_in_, stamp_;
  std::vector<const Number*> out_;
};

extern template class KernelRows<double>;
extern template class KernelRows<float>;

} // namespace recta::svm
