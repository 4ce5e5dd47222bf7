#include "stats/leverage/firth_sums.hpp"
#include "stats/test_rows.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

// Four rows of one column, at w = 0: P = 1/2 everywhere.
TEST(FirthSums, OfFourRowsCanBeDoneOnPaper) {
  const testing::Table t{4, 1, 1, {0, 0, 1, 1}, {-1, 1, -1, 1}, {1, 1, 1, 1}, {}};
  Pool pool(1);
  Gram gram(1, 0);
  const std::vector<double> quarters(4, 0.25);
  const testing::Table weighted{4, 1, 1, {0, 0, 1, 1}, {0, 0, 0, 0}, quarters, {}};
  Batch batch = weighted.all();
  batch.target.cols = 0;
  gram.accumulate(batch);
  const auto information = std::make_shared<FisherInformation>(gram, true, std::vector<char>{0}, pool);
  EXPECT_TRUE(information->whole());
  EXPECT_NEAR(information->log_det(), std::log(1.0 * 0.25), 1e-14); // [[1, 1/2], [1/2, 1/2]]
  FirthSums at_zero(std::make_shared<FirthPoint>(FirthPoint{{0}, 0, information}));
  at_zero.accumulate(t.all());
  EXPECT_NEAR(at_zero.leverage, 2, 1e-14); // as many as coefficients
  EXPECT_EQ(at_zero.slope, 0);
  // Another point with the same information, whose inverse is [[2, -2], [-2, 4]]: a' I^-1 a = 2 in every row.
  const double b = 0.7, p = 1 / (1 + std::exp(-b)), h = 2 * p * (1 - p);
  FirthSums away(std::make_shared<FirthPoint>(FirthPoint{{0}, b, information}));
  away.accumulate(t.all());
  EXPECT_NEAR(away.slope, 4 * h * (0.5 - p), 1e-14);
  EXPECT_NEAR(away.gradient[0], 2 * h * (0.5 - p), 1e-14);
  const std::string bytes = away.to_bytes();
  ASSERT_TRUE(FirthSums::from_bytes(bytes));
  EXPECT_EQ(FirthSums::from_bytes(bytes)->to_bytes(), bytes);
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(FirthSums::from_bytes(bytes.substr(0, n))) << n;
}

} // namespace
} // namespace recta
