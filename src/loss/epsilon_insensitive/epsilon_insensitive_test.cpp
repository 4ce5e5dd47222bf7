#include "loss/epsilon_insensitive/epsilon_insensitive.hpp"

#include <gtest/gtest.h>

using recta::loss::epsilon_insensitive::With;

TEST(EpsilonInsensitiveLoss, CostsNothingInsideTheTube) {
  const With tube{.epsilon = 0.5};
  EXPECT_EQ(tube.value(1, 1.5), 0);
  EXPECT_EQ(tube.value(1, 0.75), 0);
  EXPECT_EQ(tube.value(1, 3), 1.5);
  EXPECT_EQ(tube.value(3, 1), 1.5);
}

TEST(EpsilonInsensitiveLoss, FenchelYoungResidualVanishesOnTheWalls) {
  const With tube{.epsilon = 0.5};
  for (const double d : {0.0, 0.3, 1.0}) EXPECT_EQ(tube.fenchel_young(1.5, 1, d), 0);
  for (const double d : {0.0, -0.3, -1.0}) EXPECT_EQ(tube.fenchel_young(0.5, 1, d), 0);
  EXPECT_EQ(tube.fenchel_young(1.5, 1, -1), 1); // the wrong wall
  EXPECT_EQ(tube.fenchel_young(1.25, 1, 0), 0);
}

TEST(EpsilonInsensitiveLoss, WithoutATubeIsTheAbsoluteError) {
  const With none{.epsilon = 0};
  EXPECT_EQ(none.value(1, 4), 3);
  EXPECT_EQ(none.slope(1, 4), 1);
  EXPECT_EQ(none.slope(1, 1), 0);
}
