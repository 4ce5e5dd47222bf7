#include "loss/gamma/gamma.hpp"

#include <cmath>
#include <gtest/gtest.h>

using Gamma = recta::loss::gamma::Loss;

TEST(GammaLoss, IsHalfTheDeviance) {
  EXPECT_EQ(Gamma::value(1, 0), 0);
  EXPECT_DOUBLE_EQ(Gamma::value(2, 0), 1 - std::log(2.0));
  EXPECT_DOUBLE_EQ(Gamma::derivative(3, 0), -2);
  EXPECT_DOUBLE_EQ(Gamma::curvature(3, 0), 3);
}

TEST(GammaLoss, SeesTheRatioAlone) {
  EXPECT_NEAR(Gamma::value(6, std::log(2.0)), Gamma::value(3, 0), 1e-15);
}

TEST(GammaLoss, TakesPositiveNumbers) {
  EXPECT_TRUE(Gamma::takes(1e-300));
  EXPECT_FALSE(Gamma::takes(0));
}

TEST(GammaLoss, FenchelYoungResidualVanishesAtTheNaturalDualVariable) {
  for (const double y : {0.5, 1.0, 7.0})
    for (const double z : {-3.0, 0.0, 2.0})
      EXPECT_LE(Gamma::fenchel_young(y, z, -Gamma::derivative(y, z)), 1e-28 * (1 + y * std::exp(-z)));
  EXPECT_DOUBLE_EQ(Gamma::fenchel_young(2, 0, -1), 2); // m = 0: y exp(-z)
}
