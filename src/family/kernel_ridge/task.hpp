// The rows of kernel ridge regression as the solver sees them.
#pragma once

#include "held/kernel_task.hpp"
#include "solver/kernel_ridge/solve.hpp"

namespace recta::kernel_ridge {

Problem problem_of(const MatrixTask& task, double lambda, bool intercept);
std::string objective_text(const kernel::Settings& kernel, bool intercept, double lambda); // NaN: of a path

} // namespace recta::kernel_ridge
