#include "stats/reduce.hpp"
#include "stats/softmax/class_grams.hpp"
#include "stats/softmax/class_hessian.hpp"
#include "stats/softmax/class_squares.hpp"
#include "stats/softmax/softmax.hpp"
#include "stats/test_rows.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

std::shared_ptr<SoftmaxPoint> towards(SoftmaxPoint at, const std::vector<double>& u, const std::vector<double>& c) {
  auto way = std::make_shared<SoftmaxPoint>();
  way->classes = at.classes;
  way->w = u;
  way->b = c;
  way->from = std::make_shared<SoftmaxPoint>(std::move(at));
  return way;
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

// A pass that keeps probabilities saves the next one its scores, and changes nothing else.
TEST(SoftmaxSums, ProbabilitiesThatAreKeptGiveTheBitsOfThoseThatAreNot) {
  testing::Table t = testing::Table::integers(700, 3, 5);
  for (std::size_t i = 0; i < t.y.size(); ++i) t.y[i] = static_cast<double>(i % 3);
  std::vector<double> shares(700 * 3);
  auto at = point(3, {0.1, -0.02, 0.05, 0.03, -0.15, -0.01, 0.2, 0.1, 0}, {0.1, 0, -0.1});
  const std::vector<double> u{1, 0, -0.5, 0.25, 0, -1, 0.5, 0.5, 1}, c{0.5, -1, 0.25};
  SoftmaxSums plain(towards(*at, u, c));
  plain.accumulate(t.all());
  at->shares = shares.data();
  SoftmaxSums look(at);
  look.accumulate(t.all());
  for (std::size_t i = 0; i < 700; ++i)
    EXPECT_NEAR(shares[3 * i] + shares[3 * i + 1] + shares[3 * i + 2], 1, 4e-16) << i;
  SoftmaxSums kept(towards(*at, u, c));
  kept.accumulate(t.all());
  EXPECT_EQ(kept.gradient, plain.gradient);
  EXPECT_EQ(kept.slope, plain.slope);
}

TEST(SoftmaxOfRows, IsThatOfEveryRowToTheLastBits) {
  std::vector<double> z;
  for (int s = 0; s < 150; ++s)
    for (const double x : {0.5 * s, -3.0 * s, 1e-3 * s * s, -800.0}) z.push_back(x);
  std::vector<double> one = z, sums(150);
  softmax_of_rows(z.data(), 150, 4, sums.data());
  for (std::size_t i = 0; i < 150; ++i) {
    EXPECT_NEAR(softmax_of(one.data() + 4 * i, 4), sums[i], 4e-16 * std::max(1.0, sums[i])) << i;
    for (std::size_t k = 4 * i; k < 4 * i + 4; ++k) EXPECT_NEAR(z[k], one[k], 1e-15 * one[k]) << k;
  }
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

TEST(ClassSquares, AreTheDiagonalOfTheHessian) {
  const testing::Table t{4, 2, 1, {0, 1, 1, 3, 2, 0, 9, 9}, {0, 1, 2, 1}, {1, 2, 1, 0}, {}};
  const auto at = point(3, {0.5, 0.1, 0, 0.3, -0.5, 0}, {0.1, 0, -0.1});
  ClassSquares found(at);
  found.accumulate(t.all());
  EXPECT_EQ(found.weight, 4);
  for (std::size_t s = 0; s < 6; ++s) {
    std::vector<double> u(6), c(3);
    u[s] = 1;
    SoftmaxSums product(towards(*at, u, c));
    product.accumulate(t.all());
    EXPECT_NEAR(found.second[s], product.gradient[s], 1e-14) << s;
    EXPECT_NEAR(found.first[s], product.slope[s / 2], 1e-14) << s;
  }
  const std::string bytes = found.to_bytes();
  ASSERT_TRUE(ClassSquares::from_bytes(bytes));
  EXPECT_EQ(ClassSquares::from_bytes(bytes)->to_bytes(), bytes);
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(ClassSquares::from_bytes(bytes.substr(0, n))) << n;
}

TEST(ClassSquares, OfSparseRowsAreThoseOfDenseOnes) {
  testing::Table t = testing::Table::integers(40, 3, 3);
  for (std::size_t i = 0; i < t.y.size(); ++i) t.y[i] = static_cast<double>(i % 2 == 0 ? -1 : 1);
  std::vector<std::int64_t> start{0}, index;
  std::vector<double> value;
  for (Index i = 0; i < 40; ++i) {
    for (Index j = 0; j < 3; ++j)
      if (t.x[i * 3 + j] != 0) index.push_back(j), value.push_back(t.x[i * 3 + j]);
    start.push_back(static_cast<std::int64_t>(index.size()));
  }
  const auto at = point(2, {0.1, -0.02, 0.05, 0.03, -0.15, -0.01}, {0.1, 0});
  ClassSquares dense(at), sparse(at);
  Batch batch = t.all();
  dense.accumulate(batch);
  batch.x = SparseView{40, 3, start.data(), index.data(), value.data(), IndexWidth::bits64};
  sparse.accumulate(batch);
  for (std::size_t s = 0; s < 6; ++s) {
    EXPECT_NEAR(dense.second[s], sparse.second[s], 1e-12 * std::abs(dense.second[s]));
    EXPECT_NEAR(dense.first[s], sparse.first[s], 1e-12 * dense.second[s]);
  }
}

TEST(ClassHessian, IsWhatItsProductsSay) {
  testing::Table t = testing::Table::integers(50, 2, 7);
  for (std::size_t i = 0; i < t.y.size(); ++i) t.y[i] = static_cast<double>(i % 3);
  const auto at = point(3, {0.1, -0.02, 0.05, 0.03, -0.15, -0.01}, {0.1, 0, -0.1});
  auto some = std::make_shared<HessianPoint>(*at, std::vector<std::vector<Index>>{{1}, {0, 1}, {}});
  some->mean = {0.5, -2};
  ClassHessian found(some);
  found.accumulate(t.all());
  ASSERT_EQ(found.size, 6); // three weights, three constants
  const std::vector<std::pair<Index, Index>> unknown{{0, 1}, {0, -1}, {1, 0},
                                                     {1, 1}, {1, -1}, {2, -1}}; // class, column
  for (Index c = 0; c < 6; ++c) {
    std::vector<double> u(6), b(3);
    const auto [k, j] = unknown[c];
    if (j >= 0) u[k * 2 + j] = 1;
    b[k] = j >= 0 ? -some->mean[j] : 1;
    SoftmaxSums product(towards(*at, u, b));
    product.accumulate(t.all());
    for (Index r = c; r < 6; ++r) {
      const auto [l, i] = unknown[r];
      const double due = i < 0 ? product.slope[l] : product.gradient[l * 2 + i] - some->mean[i] * product.slope[l];
      EXPECT_NEAR(found.lower[r + c * 6], due, 1e-10 * found.lower[c + c * 6]) << r << ", " << c;
    }
  }
  const std::string bytes = found.to_bytes();
  ASSERT_TRUE(ClassHessian::from_bytes(bytes));
  EXPECT_EQ(ClassHessian::from_bytes(bytes)->to_bytes(), bytes);
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(ClassHessian::from_bytes(bytes.substr(0, n))) << n;
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
