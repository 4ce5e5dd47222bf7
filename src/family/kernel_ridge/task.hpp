// The rows of kernel ridge regression as the solver sees them.
#pragma once

#include "family/kernel_data.hpp"
#include "solver/kernel_ridge/solve.hpp"

namespace recta::kernel_ridge {

struct Task {
  KernelData data;
  std::vector<Index> present;
  double weight = 0; // of all rows
  kernel::Settings settings;
  std::unique_ptr<const kernel::Kernel> kernel;
  kernel::Points points;

  // Refused if the matrix of the kernel is too large to be held.
  static Result<Task> make(const Params& params, const Schema& schema, const Rows& rows);
  Problem problem(double lambda, bool intercept) const;
};

std::string objective_text(const kernel::Settings& kernel, bool intercept, double lambda); // NaN: of a path

} // namespace recta::kernel_ridge
