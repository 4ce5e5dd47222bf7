#include "solver/block_descent/extrapolation.hpp"

#include <gmock/gmock.h>

namespace recta::descent {
namespace {

// u_{i+1} = u* + M (u_i - u*) with M of four eigenvalues: a combination of five points cancels them all.
TEST(Extrapolation, FindsTheLimitOfALinearIteration) {
  const std::vector<double> limit{1, -2, 3, 0.5}, rate{0.9, 0.7, 0.3, -0.2};
  std::vector<double> u(4, 0.0), q(2);
  Extrapolation ahead;
  while (!ahead.full()) {
    for (std::size_t i = 0; i < 2; ++i) q[i] = 2 - u[i] + u[i + 2]; // affine in u
    ahead.add(u, q);
    for (std::size_t i = 0; i < 4; ++i) u[i] = limit[i] + rate[i] * (u[i] - limit[i]);
  }
  const auto found = ahead.point();
  ASSERT_TRUE(found);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found->u[i], limit[i], 1e-4) << i;
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(found->q[i], 2 - found->u[i] + found->u[i + 2], 1e-12);
}

TEST(Extrapolation, SaysNothingOfPointsThatDoNotMove) {
  Extrapolation ahead;
  while (!ahead.full()) ahead.add({1, 2}, {3});
  EXPECT_FALSE(ahead.point());
}

} // namespace
} // namespace recta::descent
