#include "loss/squared/squared.hpp"

#include <gtest/gtest.h>

using Squared = recta::loss::squared::Loss;

TEST(SquaredLoss, IsHalfTheSquareOfTheError) {
  EXPECT_EQ(Squared::value(3, 1), 2);
  EXPECT_EQ(Squared::value(-1, -1), 0);
  EXPECT_EQ(Squared::derivative(3, 1), -2);
}

TEST(SquaredLoss, FenchelYoungResidualVanishesAtTheNaturalDualVariable) {
  EXPECT_EQ(Squared::fenchel_young(3, 1, 2), 0);
  EXPECT_EQ(Squared::fenchel_young(3, 1, 1), 0.5);
}
