#include <recta/odds.hpp>

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

TEST(Odds, SigmaAndItsInverseAreExactWhereTheyAreKnown) {
  EXPECT_EQ(sigmoid(0), 0.5);
  EXPECT_EQ(log_odds(0.5), 0);
  EXPECT_EQ(odds(0.75), 3);
  EXPECT_DOUBLE_EQ(sigmoid(std::log(3)), 0.75);
  EXPECT_DOUBLE_EQ(log_odds(0.75), std::log(3));
  EXPECT_DOUBLE_EQ(log_odds(0.1), -std::log(9));
  EXPECT_DOUBLE_EQ(sigmoid_derivative(std::log(3)), 0.1875);
  EXPECT_DOUBLE_EQ(log_odds(0.5 + 0x1p-40), 4 * 0x1p-40); // derivative 4 at 1/2
}

TEST(Odds, BothEndsKeepTheirDigits) {
  EXPECT_DOUBLE_EQ(sigmoid(-700), std::exp(-700));
  EXPECT_EQ(sigmoid(-1e4), 0);
  EXPECT_EQ(sigmoid(1e4), 1);
  EXPECT_DOUBLE_EQ(sigmoid_derivative(700), std::exp(-700));
  EXPECT_EQ(sigmoid_derivative(700), sigmoid_derivative(-700));
  EXPECT_DOUBLE_EQ(log_odds(1e-300), std::log(1e-300));
  for (const double z : {-30.0, -5.0, -0.3, 1e-9, 0.7, 4.0, 12.0})
    EXPECT_NEAR(log_odds(sigmoid(z)), z, 1e-15 * std::abs(z) + 0x1p-52 / sigmoid_derivative(z)); // of p's own rounding
}

// The derivative is checked by differences.
TEST(Odds, TheDerivativeIsThatOfSigma) {
  for (const double z : {-6.0, -1.0, 0.0, 0.5, 3.0})
    EXPECT_NEAR(sigmoid_derivative(z), (sigmoid(z + 1e-6) - sigmoid(z - 1e-6)) / 2e-6, 1e-9);
}

} // namespace
} // namespace recta
