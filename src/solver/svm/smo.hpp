// Kernel machines by working sets. In every round the rows that violate the conditions of the optimum most, half of
// them kept from the round before, are solved among themselves (working_set.hpp); their kernel rows, which come from
// one matrix product, then bring all scores up to date. Those rows are rounded to floats first, and where the memory
// has no room for all of them, the rows that may still move go on among themselves for a while; if the tolerance is
// nearer than such scores can tell, the search goes on with exact ones from there. In the end the coefficients inside
// their boxes are solved for together (free_set.hpp), so that the gap closes to rounding.
#pragma once

#include "solver/svm/kernel_matrix.hpp"
#include "solver/svm/state.hpp"

#include <limits>

namespace recta::svm {

inline constexpr Index kSmoRows = 512; // of a working set

struct SmoSettings {
  double tolerance = 0;                         // of P - D
  std::uint64_t cache = std::uint64_t{1} << 30; // bytes for kernel rows
  std::vector<double> start = {}; // coefficients, within their boxes; if omitted, or if zero is better: zero
  Index steps = std::numeric_limits<Index>::max(); // at most, about
};

// With the given rows of the kernel matrix, at least kSmoRows of them at once (or all); `cache` is theirs.
Solution solve_by_smo(const Problem& problem, KernelMatrix& matrix, const SmoSettings& settings, Pool& pool);
Solution solve_by_smo(const Problem& problem, KernelRows<double>& rows, const SmoSettings& settings, Pool& pool);
Solution solve_by_smo(const Problem& problem, const kernel::Kernel& kernel, const kernel::Points& points,
                      const SmoSettings& settings, Pool& pool);

} // namespace recta::svm
