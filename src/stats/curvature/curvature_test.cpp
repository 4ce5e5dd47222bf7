#include "stats/curvature/curvature.hpp"
#include "stats/reduce.hpp"
#include "stats/test_rows.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

std::shared_ptr<CurvaturePoint> point(std::string_view word, std::vector<double> w, double b, double parameter = 1) {
  auto at = std::make_shared<CurvaturePoint>();
  at->loss = loss::row_loss(word, parameter);
  at->w = std::move(w);
  at->b = b;
  return at;
}

TEST(Curvature, OfTwoRowsCanBeDoneOnPaper) {
  const double nan = std::nan("");
  const testing::Table t{3, 1, 1, {0, nan, 1}, {2, nan, 1}, {1, 0, 3}, {0, 0, 0}};
  Curvature found(point("poisson", {std::log(2.0)}, 0)); // means 1 and 2
  found.accumulate(t.all());
  EXPECT_EQ(found.rows, 2);
  EXPECT_EQ(found.weight, 4);
  EXPECT_DOUBLE_EQ(found.slope, 1 * (1 - 2) + 3 * (2 - 1));
  EXPECT_DOUBLE_EQ(found.gradient[0], 3);
  EXPECT_DOUBLE_EQ(found.squares, 1 + 3);
  EXPECT_DOUBLE_EQ(found.loss, (2 * std::log(2.0) - 1) + 3 * (2 - 1 - std::log(2.0)));
  EXPECT_DOUBLE_EQ(found.gram.weight, 1 + 6); // weights v exp(z)
  EXPECT_DOUBLE_EQ(found.gram.mean[0], 6.0 / 7);
  EXPECT_DOUBLE_EQ(found.gram.scatter[0], 6.0 / 7);
}

TEST(Curvature, LeavesRowsWithoutCurvatureOutOfTheGram) {
  const testing::Table t{3, 1, 1, {1, 2, 5}, {0.5, 0.25, 100}, {}, {}};
  auto at = point("huber", {0}, 0);
  at->scale = true;
  Curvature found(at);
  found.accumulate(t.all());
  EXPECT_EQ(found.gram.rows, 2);
  EXPECT_EQ(found.gram.mean[0], 1.5);
  EXPECT_EQ(found.gram.mean[1], 0.375); // of the residuals of the two
  EXPECT_DOUBLE_EQ(found.squares, 0.25 + 0.0625 + 1);
  at->majorant = 1; // now the third counts a hundredth
  Curvature mixed(at);
  mixed.accumulate(t.all());
  EXPECT_DOUBLE_EQ(mixed.gram.weight, 2.01);
}

TEST(Curvature, HasTheSameBitsAtAnyNumberOfThreads) {
  testing::Table t = testing::Table::integers(3000, 5, 3);
  for (double& y : t.y) y = std::abs(y);
  std::string one;
  for (const int threads : {1, 2, 5}) {
    Pool pool(threads);
    testing::TableRows rows(t, 128);
    const auto found = reduce(rows, Curvature(point("poisson", {0.1, 0, -0.2, 0.05, 0.1}, 0.3)), pool);
    ASSERT_TRUE(found);
    const std::string bytes = found->total().to_bytes();
    if (one.empty()) one = bytes;
    EXPECT_EQ(bytes, one);
  }
}

TEST(Curvature, TravelsAsBytesAndRefusesOthers) {
  const testing::Table t{2, 1, 1, {1, 2}, {3, 4}, {}, {}};
  Curvature state(point("gamma", {0.5}, 0));
  state.accumulate(t.all());
  const std::string bytes = state.to_bytes();
  ASSERT_TRUE(Curvature::from_bytes(bytes));
  EXPECT_EQ(Curvature::from_bytes(bytes)->to_bytes(), bytes);
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(Curvature::from_bytes(bytes.substr(0, n))) << n;
}

TEST(Curvature, SaysWhenThePointIsTooFarOut) {
  const testing::Table t{1, 1, 1, {1}, {3}, {}, {}};
  Curvature state(point("poisson", {800}, 0));
  state.accumulate(t.all());
  EXPECT_FALSE(std::isfinite(state.loss));
}

} // namespace
} // namespace recta
