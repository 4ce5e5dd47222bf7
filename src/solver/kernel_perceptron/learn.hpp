// Rosenblatt's perceptron in the space of a kernel: f(x) = sum_i beta_i (k(x, x_i) + 1), the 1 only if there is an
// intercept. Rows are presented in their order, pass after pass; one with y f(x) <= 0 is a mistake, and its beta grows
// by y. A row of whole weight k is presented k times, one of any other weight scales its steps.
//
// The scores of all rows are kept up to date: a mistake costs one row of the kernel matrix, which is kept while there
// is memory for it. A score that is at most 2^-40 of the sizes of its terms is zero: what rounding alone keeps from the
// hyperplane is a mistake.
#pragma once

#include "base/pool.hpp"
#include "kernel/points.hpp"

#include <cmath>
#include <vector>

namespace recta::kernel_perceptron {

struct Problem {
  const kernel::Kernel& kernel;
  const kernel::Points& points;
  std::vector<double> target; // 1 and -1
  std::vector<double> weight; // above zero
  bool intercept = true;
  Index passes = 1000, steps = 0; // steps: 0: as many as it takes
  std::uint64_t cache = 0;        // bytes for rows of the kernel matrix
};

struct Solution {
  std::vector<double> beta;           // of every point
  double mistakes = 0, presented = 0; // changes, and rows presented
  Index passes = 0;
  bool clean = false; // the last pass was without a mistake
  bool interrupted = false;
  bool whole = true; // every step had the length 1
};

Solution learn(const Problem& problem, Pool& pool);

// How often a row of this weight is presented in a pass.
inline double times_presented(double weight) {
  return weight == std::floor(weight) && weight <= 1e6 ? weight : 1;
}

} // namespace recta::kernel_perceptron
