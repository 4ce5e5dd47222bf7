#include "base/listening.hpp"
#include "base/random.hpp"
#include "certificate/loss/bounded.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace recta {
namespace {

TEST(BoundedSystem, IsSolvedInsideItsBounds) {
  // x1 + x2 + x3 = 2 and x1 - x3 = 0.5, all between 0 and 1.
  const BoundedSystem system{2, {1, 1, 1, 0, 1, -1}, {2, 0.5}, {0, 0, 0}, {1, 1, 1}};
  const std::vector<double> x = solve_bounded(system, {0, 0, 0}).x;
  EXPECT_NEAR(x[0] + x[1] + x[2], 2, 1e-12);
  EXPECT_NEAR(x[0] - x[2], 0.5, 1e-12);
  for (const double each : x) {
    EXPECT_GE(each, 0);
    EXPECT_LE(each, 1);
  }
}

TEST(BoundedSystem, EndsAtTheBoundsWhereNoSolutionIsInside) {
  const BoundedSystem system{1, {1, 1}, {5}, {0, 0}, {1, 2}};
  EXPECT_EQ(solve_bounded(system, {0, 0}).x, (std::vector<double>{1, 2}));
}

// Convex, so what meets the conditions of the optimum is one: nothing along a free column, and nothing to be had by
// leaving a bound.
double violation(const BoundedSystem& system, const std::vector<double>& x) {
  const auto rows = static_cast<std::size_t>(system.rows);
  std::vector<double> rest = system.e;
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    most = std::max({most, system.low[i] - x[i], x[i] - system.high[i]});
    for (std::size_t r = 0; r < rows; ++r) rest[r] -= system.g[i * rows + r] * x[i];
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    double along = 0;
    for (std::size_t r = 0; r < rows; ++r) along += system.g[i * rows + r] * rest[r];
    most = std::max({most, x[i] < system.high[i] ? along : 0, x[i] > system.low[i] ? -along : 0});
  }
  return most;
}

// Numbers around zero; e is what some point has, whose numbers are up to `reach`.
BoundedSystem spread_out(Index rows, std::size_t cols, double reach, std::uint64_t seed) {
  Random random(seed);
  const auto any = [&] { return 2 * random.uniform() - 1; };
  BoundedSystem system{rows, {}, {}, std::vector<double>(cols, -1), std::vector<double>(cols, 1)};
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows) * cols; ++i) system.g.push_back(any());
  system.e.assign(static_cast<std::size_t>(rows), 0);
  for (std::size_t i = 0; i < cols; ++i) {
    const double x = reach * any();
    for (std::size_t r = 0; r < system.e.size(); ++r) system.e[r] += system.g[i * system.e.size() + r] * x;
  }
  return system;
}

// Whole numbers make columns depend on one another and corners meet.
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
    EXPECT_LE(violation(system, solve_bounded(system, std::vector<double>(cols)).x), 1e-9) << "round " << round;
  }
}

TEST(BoundedSystem, OfEveryShapeIsSolvedByAFewFactors) {
  for (const auto& [rows, cols] : {std::pair<Index, std::size_t>{150, 100}, {120, 120}, {80, 200}, {20, 400}})
    for (const double reach : {0.9, 1.5, 4.0}) { // inside the bounds; outside of some; of most
      const BoundedSystem system = spread_out(rows, cols, reach, 3);
      const BoundedSolution found = solve_bounded(system, std::vector<double>(cols));
      EXPECT_LE(violation(system, found.x), 1e-9) << rows << " x " << cols << ", " << reach;
      EXPECT_LE(found.factors, 60) << rows << " x " << cols << ", " << reach; // one bound at a time: hundreds
      if (reach < 1 && static_cast<std::size_t>(rows) >= cols) EXPECT_LE(found.factors, 6);
    }
}

TEST(BoundedSystem, IsLeftWhereItStandsWhenTheListenerSaysSo) {
  const BoundedSystem system = spread_out(60, 100, 4, 5);
  int asked = 0;
  const Listening listening([&](double) { return ++asked < 1; });
  EXPECT_THROW(solve_bounded(system, std::vector<double>(100)), Interrupted);
  EXPECT_EQ(asked, 1);
}

} // namespace
} // namespace recta
