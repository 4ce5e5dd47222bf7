#include "loss/poisson/poisson.hpp"

#include <cmath>
#include <gtest/gtest.h>

using Poisson = recta::loss::poisson::Loss;

TEST(PoissonLoss, IsHalfTheDeviance) {
  EXPECT_DOUBLE_EQ(Poisson::value(3, std::log(3.0)), 0);
  EXPECT_DOUBLE_EQ(Poisson::value(2, 0), 2 * std::log(2.0) - 1); // mean 1: y log y - (y - 1)
  EXPECT_EQ(Poisson::value(0, 0), 1);
  EXPECT_DOUBLE_EQ(Poisson::derivative(2, std::log(5.0)), 3);
}

TEST(PoissonLoss, KeepsItsDigitsNearTheCount) {
  const double t = 1e-9;
  EXPECT_NEAR(Poisson::value(1, t), 0.5 * t * t, 1e-9 * t * t); // t^2 / 2 + t^3 / 6
}

TEST(PoissonLoss, TakesCountsAndTheirWeightsAndNothingBelowZero) {
  EXPECT_TRUE(Poisson::takes(0));
  EXPECT_TRUE(Poisson::takes(2.5));
  EXPECT_FALSE(Poisson::takes(-1e-300));
}

TEST(PoissonLoss, FenchelYoungResidualVanishesAtTheNaturalDualVariable) {
  for (const double y : {0.0, 1.0, 7.0})
    for (const double z : {-3.0, 0.0, 2.0})
      EXPECT_LE(Poisson::fenchel_young(y, z, -Poisson::derivative(y, z)), 1e-28 * (1 + std::exp(z)) * (1 + y) * 100);
  EXPECT_DOUBLE_EQ(Poisson::fenchel_young(1, 0, 1), 1); // m = 0: exp(z)
}
