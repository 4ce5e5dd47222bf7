// The machines of objective/svm/groups.hpp by working sets, as smo.hpp has the others: coefficients move in pairs of
// the same group, so that the sum of every group stays what it is. In the end the coefficients inside their boxes are
// solved for together, with one equation per group.
#pragma once

#include "objective/svm/groups.hpp"
#include "solver/svm/kernel_rows.hpp"

#include <functional>
#include <limits>

namespace recta::svm {

struct GroupedSettings {
  std::function<double(const std::vector<double>& levels)> tolerance = {}; // of P - D, at these levels
  std::uint64_t cache = std::uint64_t{1} << 30;
  std::vector<double> start = {}; // coefficients of the terms, within their boxes; empty: any
  Index steps = std::numeric_limits<Index>::max();
};

struct GroupedSolution {
  std::vector<double> beta; // of the terms
  std::vector<double> f;    // of the rows
  std::vector<double> levels;
  Index steps = 0, rounds = 0;
  Index interior_steps = 0; // of an interior point method, taken where working sets came no nearer
  double gap = 0;
  bool interrupted = false, gave_up = false, exact_end = false;
};

// Whether every mass leaves some room in the boxes of its group: if not, no coefficients are inside them all.
bool has_room_inside(const GroupedProblem& problem);
// What the coefficients of a group lack of its mass is shared out among those inside their boxes, by the room they
// have.
void meet_masses(const GroupedProblem& problem, std::vector<double>& beta);

// The masses are no larger than the costs of their groups together.
GroupedSolution solve_grouped(const GroupedProblem& problem, const kernel::Kernel& kernel, const kernel::Points& points,
                              const GroupedSettings& settings, Pool& pool);

} // namespace recta::svm
