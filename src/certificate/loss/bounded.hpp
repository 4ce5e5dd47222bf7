// x with G x = e as nearly as it can be had inside low <= x <= high: an active set of bounds, and on the rest the
// change of least length (Stark and Parker 1995). G is `rows` x x.size() by column, rows few.
#pragma once

#include <recta/error.hpp>

#include <vector>

namespace recta {

struct BoundedSystem {
  Index rows = 0;
  std::vector<double> g, e;
  std::vector<double> low, high;
};

std::vector<double> solve_bounded(const BoundedSystem& system, std::vector<double> start);

} // namespace recta
