#include "certificate/loss/bounded.hpp"

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

} // namespace
} // namespace recta
