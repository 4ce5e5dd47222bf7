// Linear machines with squared losses by Newton's method: the objective is quadratic as long as the same rows are
// beyond their margin or tube, so that a full step after which they still are ends in the minimum itself (Keerthi and
// DeCoste 2005). Steps are halved until the objective falls. Each costs n p^2; there are 5 to 15.
#pragma once

#include "solver/svm/linear_rows.hpp"
#include "solver/svm/state.hpp"

namespace recta::svm {

struct NewtonPoint {
  std::vector<double> beta, w;
  Index steps = 0;
};

NewtonPoint solve_by_newton(const Problem& problem, const LinearRows& rows, Pool& pool);

} // namespace recta::svm
