#include "loss/quantile/quantile.hpp"

#include <gtest/gtest.h>

using Quantile = recta::loss::quantile::Loss;
using recta::loss::quantile::With;

TEST(QuantileLoss, AtOneHalfIsHalfTheAbsoluteError) {
  EXPECT_EQ(Quantile::value(3, 1), 1);
  EXPECT_EQ(Quantile::value(1, 3), 1);
  EXPECT_EQ(Quantile::value(1, 1), 0);
}

TEST(QuantileLoss, OfALargeShareCostsMoreBelowTheRows) {
  const With ninety{.q = 0.75};
  EXPECT_EQ(ninety.value(4, 0), 3);
  EXPECT_EQ(ninety.value(0, 4), 1);
  EXPECT_EQ(ninety.slope(4, 0), -0.75);
  EXPECT_EQ(ninety.slope(0, 4), 0.25);
}

TEST(QuantileLoss, FenchelYoungResidualIsZeroAtTheKinkForEveryDualVariable) {
  for (const double d : {-0.5, -0.1, 0.0, 0.5}) EXPECT_EQ(Quantile::fenchel_young(2, 2, d), 0);
  EXPECT_EQ(Quantile::fenchel_young(2, 1, 0.5), 0);
  EXPECT_EQ(Quantile::fenchel_young(2, 1, -0.5), 1);
}
