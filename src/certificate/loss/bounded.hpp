// x with G x = e as nearly as possible inside low <= x <= high: an active set of bounds, and the change of least length
// on the rest (Stark and Parker 1995). G is `rows` x x.size() by column, with few rows.
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
