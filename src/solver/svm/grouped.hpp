// The machines of objective/svm/groups.hpp by working sets, as smo.hpp has the others: coefficients move in pairs of
// the same group, so that the sum of every group stays what it is. In the end the coefficients inside their boxes are
// solved for together, with one equation per group.
#pragma once

#include "objective/svm/groups.hpp"
#include "solver/svm/kernel_rows.hpp"

#include <functional>

namespace recta::svm {

struct GroupedSettings {
  std::function<double(const std::vector<double>& levels)> tolerance = {}; // of P - D, at these levels
  std::uint64_t cache = std::uint64_t{1} << 30;
};

struct GroupedSolution {
  std::vector<double> beta; // of the terms
  std::vector<double> f;    // of the rows
  std::vector<double> levels;
  Index steps = 0, rounds = 0;
  double gap = 0;
  bool interrupted = false, gave_up = false, exact_end = false;
};

// The masses are no larger than the costs of their groups together.
GroupedSolution solve_grouped(const GroupedProblem& problem, const kernel::Kernel& kernel, const kernel::Points& points,
                              const GroupedSettings& settings, Pool& pool);

} // namespace recta::svm
