// The sums of a pass: slopes against differences, parts against the whole, equal rows as one; and the machine of held
// rows against an answer that is known.
#include "objective/svm/test_sides.hpp"
#include "solver/svm/held_problem.hpp"
#include "solver/svm/margin_sums.hpp"

#include <gtest/gtest.h>
#include <random>

namespace recta::svm {
namespace {

struct Rows : testing::SidedRows {
  explicit Rows(Index n) {
    std::mt19937 random(2);
    std::normal_distribution<double> normal;
    for (Index i = 0; i < n; ++i) {
      const double a = std::round(2 * normal(random)) / 2, b = std::round(normal(random)); // many rows are equal
      add(a, b, a + normal(random) > 0 ? 1 : -1, 1 + static_cast<double>(i % 2));
    }
  }
};

std::shared_ptr<MarginQuestion> question(Loss loss, std::vector<double> at) {
  auto out = std::make_shared<MarginQuestion>();
  out->loss = loss, out->centre = {0.1, -0.2}, out->most_held = 500;
  out->points.push_back({.sides = {}, .at = std::move(at), .width = 0.7, .band = 0.5});
  return out;
}

MarginSums sums_at(const Rows& rows, Loss loss, std::vector<double> at) {
  ManyMargins out(question(loss, std::move(at)));
  out.accumulate(rows.batch(0, std::ssize(rows.y)));
  return out.machines[0];
}

TEST(MarginSums, ThePullIsTheSlopeOfTheSmoothedLoss) {
  const Rows rows(400);
  const std::vector<double> point{0.83, 0.21, 0.05};
  for (const Loss loss : {Loss::hinge, Loss::squared_hinge}) {
    const MarginSums here = sums_at(rows, loss, point);
    for (std::size_t j = 0; j < point.size(); ++j) {
      constexpr double kStep = 1e-6;
      std::vector<double> up = point, down = point;
      up[j] += kStep, down[j] -= kStep;
      const double slope = (sums_at(rows, loss, up).smooth - sums_at(rows, loss, down).smooth) / (2 * kStep);
      EXPECT_NEAR(-(here.pull[0][j] + here.pull[1][j]), slope, 1e-5 * (1 + std::abs(slope)));
    }
  }
}

TEST(MarginSums, PartsMergeToTheWholeAndTravelAsBytes) {
  const Rows rows(400);
  const auto asked = question(Loss::hinge, {0.83, 0.21, 0.05});
  ManyMargins whole(asked), first(asked), second(asked);
  whole.accumulate(rows.batch(0, 400)), first.accumulate(rows.batch(0, 150)), second.accumulate(rows.batch(150, 400));
  const auto sent = ManyMargins::from_bytes(second.to_bytes());
  ASSERT_TRUE(sent);
  first.merge(*sent);
  const MarginSums &one = first.machines[0], &other = whole.machines[0];
  EXPECT_NEAR(one.smooth, other.smooth, 1e-12 * other.smooth);
  EXPECT_EQ(one.bins, other.bins);
  EXPECT_EQ(one.held_count, other.held_count);
  EXPECT_EQ(one.held, other.held); // weights are whole numbers, and rows stand in one order
  EXPECT_FALSE(ManyMargins::from_bytes(second.to_bytes().substr(0, 200)));
}

TEST(MarginSums, EqualRowsAreHeldAsOneAndTooManyAreNot) {
  const Rows rows(400);
  const MarginSums here = sums_at(rows, Loss::hinge, {0.83, 0.21, 0.05});
  EXPECT_GT(here.held_count, 0);
  EXPECT_LT(std::ssize(here.held), 5 * here.held_count); // t, u, 1 and v of every different row
  double weight = 0, expected = 0;
  for (std::size_t row = 4; row < here.held.size(); row += 5) weight += here.held[row];
  for (std::size_t i = 0; i < rows.y.size(); ++i) {
    const double z = 0.83 * (rows.x[2 * i] - 0.1) + 0.21 * (rows.x[2 * i + 1] + 0.2) + 0.05;
    expected += std::abs(1 - rows.y[i] * z) <= 0.5 ? rows.v[i] : 0;
  }
  EXPECT_EQ(weight, expected);
  const auto few = question(Loss::hinge, {0.83, 0.21, 0.05});
  few->most_held = 3;
  ManyMargins out(few);
  out.accumulate(rows.batch(0, 400));
  EXPECT_FALSE(out.machines[0].has_band());
  EXPECT_TRUE(out.machines[0].held.empty());
}

// 1 and 2 against 3 and 4: the widest margin lies between 2 and 3, f(x) = 2 x - 5.
TEST(HeldProblem, OfOneTwoAgainstThreeFourHasTheWeightTwo) {
  const HeldProblem problem{.size = 2,
                            .a = {-1, -1, -2, -1, 3, 1, 4, 1},
                            .k = {10, 10, 10, 10},
                            .q = {0, 0},
                            .square = {1, 0, 0, 0},
                            .width = 1e-9};
  const auto found = solve_held(problem, {0, 0}, 1e-12);
  EXPECT_NEAR(found[0], 2, 1e-8);
  EXPECT_NEAR(found[1], -5, 1e-8);
}

} // namespace
} // namespace recta::svm
