// Kernel machines by working sets. In every round the rows that violate the conditions of the optimum most, half of
// them kept from the round before, are solved among themselves (working_set.hpp); their kernel rows, which come from
// one matrix product, then bring all scores up to date. In the end the coefficients inside their boxes are solved for
// together (free_set.hpp), so that the gap closes to rounding.
#pragma once

#include "solver/svm/kernel_rows.hpp"
#include "solver/svm/state.hpp"

#include <limits>

namespace recta::svm {

struct SmoSettings {
  double tolerance = 0;                            // of P - D
  std::uint64_t cache = std::uint64_t{1} << 30;    // bytes for kernel rows
  std::vector<double> start = {};                  // coefficients, within their boxes; empty: zero
  Index steps = std::numeric_limits<Index>::max(); // at most, about
};

Solution solve_by_smo(const Problem& problem, const kernel::Kernel& kernel, const kernel::Points& points,
                      const SmoSettings& settings, Pool& pool);

} // namespace recta::svm
