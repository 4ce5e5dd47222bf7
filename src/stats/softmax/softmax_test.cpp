#include "stats/reduce.hpp"
#include "stats/softmax/class_grams.hpp"
#include "stats/softmax/softmax.hpp"
#include "stats/test_rows.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

std::shared_ptr<SoftmaxPoint> towards(SoftmaxPoint at, const std::vector<double>& u, const std::vector<double>& c) {
  at.along = true;
  at.w.insert(at.w.end(), u.begin(), u.end());
  at.b.insert(at.b.end(), c.begin(), c.end());
  return std::make_shared<SoftmaxPoint>(std::move(at));
}

std::shared_ptr<SoftmaxPoint> point(Index classes, std::vector<double> w, std::vector<double> b) {
  auto at = std::make_shared<SoftmaxPoint>();
  at->classes = classes;
  at->w = std::move(w);
  at->b = std::move(b);
  return at;
}

TEST(SoftmaxSums, OfTwoRowsCanBeDoneOnPaper) {
  const testing::Table t{3, 1, 1, {0, 1, 9}, {0, 2, 1}, {1, 3, 0}, {}};
  SoftmaxSums found(point(3, {0, 0, 0}, {0, 0, 0})); // thirds everywhere
  found.accumulate(t.all());
  EXPECT_EQ(found.rows, 2);
  EXPECT_EQ(found.weight, 4);
  EXPECT_DOUBLE_EQ(found.loss, 4 * std::log(3.0));
  EXPECT_DOUBLE_EQ(found.slope[0], -1 + 4.0 / 3);
  EXPECT_DOUBLE_EQ(found.slope[2], -3 + 4.0 / 3);
  EXPECT_DOUBLE_EQ(found.gradient[1], 1);
  EXPECT_DOUBLE_EQ(found.gradient[2], -2);
}

TEST(SoftmaxSums, HessianProductIsTheLimitOfDifferencesOfTheGradient) {
  testing::Table t = testing::Table::integers(50, 2, 7);
  for (std::size_t i = 0; i < t.y.size(); ++i) t.y[i] = static_cast<double>(i % 3);
  const std::vector<double> w{0.1, -0.02, 0.05, 0.03, -0.15, -0.01}, b{0.1, 0, -0.1};
  const std::vector<double> u{1, 0, -0.5, 0.25, 0, -1}, c{0.5, -1, 0.25};
  const double h = 1e-6;
  const auto moved = [&](double s) {
    std::vector<double> w2 = w, b2 = b;
    for (std::size_t j = 0; j < w.size(); ++j) w2[j] += s * u[j];
    for (std::size_t k = 0; k < b.size(); ++k) b2[k] += s * c[k];
    SoftmaxSums sums(point(3, w2, b2));
    sums.accumulate(t.all());
    return sums;
  };
  auto at = point(3, w, b);
  *at = *towards(*at, u, c);
  SoftmaxSums product(at);
  product.accumulate(t.all());
  const SoftmaxSums up = moved(h), down = moved(-h);
  for (std::size_t j = 0; j < w.size(); ++j)
    EXPECT_NEAR(product.gradient[j], (up.gradient[j] - down.gradient[j]) / (2 * h), 1e-4) << j;
  for (std::size_t k = 0; k < b.size(); ++k)
    EXPECT_NEAR(product.slope[k], (up.slope[k] - down.slope[k]) / (2 * h), 1e-4) << k;
}

TEST(ClassGrams, AreTheDiagonalBlocksOfTheHessian) {
  const testing::Table t{4, 1, 1, {0, 1, 2, 9}, {0, 1, 2, 1}, {1, 2, 1, 0}, {}};
  const auto at = point(3, {0.5, 0, -0.5}, {0.1, 0, -0.1});
  ClassGrams found(at);
  found.accumulate(t.all());
  SoftmaxSums product(towards(*at, {0, 1, 0}, {0, 0, 0})); // of the second class's weight with the Hessian
  product.accumulate(t.all());
  const Gram& gram = found.grams[1];
  EXPECT_NEAR(product.gradient[1], gram.scatter[0] + gram.weight * gram.mean[0] * gram.mean[0], 1e-14);
  EXPECT_NEAR(product.slope[1], gram.weight * gram.mean[0], 1e-14);
  const std::string bytes = found.to_bytes();
  ASSERT_TRUE(ClassGrams::from_bytes(bytes));
  EXPECT_EQ(ClassGrams::from_bytes(bytes)->to_bytes(), bytes);
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(ClassGrams::from_bytes(bytes.substr(0, n))) << n;
}

TEST(SoftmaxSums, TravelsAsBytesAndRefusesOthers) {
  const testing::Table t{2, 1, 1, {1, 2}, {0, 1}, {}, {}};
  SoftmaxSums state(point(2, {0.5, -0.5}, {0, 0}));
  state.accumulate(t.all());
  const std::string bytes = state.to_bytes();
  ASSERT_TRUE(SoftmaxSums::from_bytes(bytes));
  EXPECT_EQ(SoftmaxSums::from_bytes(bytes)->to_bytes(), bytes);
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(SoftmaxSums::from_bytes(bytes.substr(0, n))) << n;
}

} // namespace
} // namespace recta
