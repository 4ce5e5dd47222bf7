#include "base/random.hpp"
#include "certificate/loss/bounded.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace recta {
namespace {

TEST(BoundedSystem, IsSolvedInsideItsBounds) {
  // x1 + x2 + x3 = 2 and x1 - x3 = 0.5, all between 0 and 1.
  const BoundedSystem system{2, {1, 1, 1, 0, 1, -1}, {2, 0.5}, {0, 0, 0}, {1, 1, 1}};
  const std::vector<double> x = solve_bounded(system, {0, 0, 0});
  EXPECT_NEAR(x[0] + x[1] + x[2], 2, 1e-12);
  EXPECT_NEAR(x[0] - x[2], 0.5, 1e-12);
  for (const double each : x) {
    EXPECT_GE(each, 0);
    EXPECT_LE(each, 1);
  }
}

TEST(BoundedSystem, EndsAtTheBoundsWhereNoSolutionIsInside) {
  const BoundedSystem system{1, {1, 1}, {5}, {0, 0}, {1, 2}};
  EXPECT_EQ(solve_bounded(system, {0, 0}), (std::vector<double>{1, 2}));
}

// Convex, so what meets the conditions of the optimum is one: nothing along a free column, and nothing to be had by
// leaving a bound. Whole numbers make columns depend on one another and corners meet.
TEST(BoundedSystem, NoPointInsideTheBoundsComesNearer) {
  Random random(17);
  for (int round = 0; round < 2000; ++round) {
    const Index rows = 1 + static_cast<Index>(random.below(4));
    const std::size_t cols = 1 + random.below(6);
    BoundedSystem system{rows, {}, {}, {}, {}};
    const auto whole = [&] { return static_cast<double>(random.below(5)) - 2; };
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows) * cols; ++i) system.g.push_back(whole());
    for (Index r = 0; r < rows; ++r) system.e.push_back(whole());
    for (std::size_t i = 0; i < cols; ++i) {
      system.low.push_back(std::min(0.0, whole()));
      system.high.push_back(std::max(0.0, whole()));
    }
    const std::vector<double> x = solve_bounded(system, std::vector<double>(cols));
    std::vector<double> rest = system.e;
    for (std::size_t i = 0; i < cols; ++i)
      for (Index r = 0; r < rows; ++r) rest[r] -= system.g[i * rows + r] * x[i];
    for (std::size_t i = 0; i < cols; ++i) {
      double along = 0;
      for (Index r = 0; r < rows; ++r) along += system.g[i * rows + r] * rest[r];
      const double up = x[i] < system.high[i] ? along : 0, down = x[i] > system.low[i] ? -along : 0;
      EXPECT_LE(std::max(up, down), 1e-9) << "round " << round << ", column " << i;
    }
  }
}

} // namespace
} // namespace recta
