// The hard margin of two classes in the space of a kernel: the machine with losses whose cost C no multiplier reaches.
// C grows until that is so. Where no hyperplane separates the classes some multipliers follow C for ever, and a =
// |beta| / sum |beta| makes sum_i a_i y_i phi(x_i) as short as rounding allows: no margin is wider.
#pragma once

#include "solver/svm/smo.hpp"

namespace recta::svm {

struct HardSolution {
  std::vector<double> beta; // of every row; scaled to y f >= 1, if it was found
  double b = 0;
  bool found = false, interrupted = false;
  double widest = 0; // no margin is wider, as computed
  Index steps = 0;
};

struct HardProblem {
  std::vector<double> sign; // 1 or -1 by row
  bool intercept = true;
  double size = 0; // the largest k(x, x)
};

// `precision`: of 1/2 |w|^2, as a share.
HardSolution solve_hard_margin(const HardProblem& asked, double precision, std::uint64_t cache, KernelMatrix& matrix,
                               Pool& pool);

} // namespace recta::svm
