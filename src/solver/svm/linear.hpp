// Linear machines by the shape of their rows: an interior point method (Newton's for squared losses) for rows that are
// many beside their columns, dual coordinate descent for sparse rows of many columns, working sets over the kernel <x,
// z> for few rows; then the coefficients inside their boxes are solved for together (free_set.hpp), and the gap closes
// to rounding.
#pragma once

#include "solver/svm/linear_rows.hpp"
#include "solver/svm/state.hpp"

namespace recta::svm {

struct LinearSettings {
  double tolerance = 0; // of P - D
  std::uint64_t cache = std::uint64_t{1} << 30, seed = 0;
  std::vector<double> start = {}; // coefficients, within their boxes, where descent or working sets begin; empty: zero
};

struct LinearSolution {
  Solution found;     // w, and the intercept of the rows as they came
  std::string method; // "interior-point", "newton", "dual-descent", "working-sets"
  std::string reason;
};

LinearSolution solve_linear(const Problem& problem, const LinearRows& rows, const LinearSettings& settings, Pool& pool);

} // namespace recta::svm
