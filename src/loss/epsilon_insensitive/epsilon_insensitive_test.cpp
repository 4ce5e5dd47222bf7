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

// Every row would otherwise be at two kinks in one place.
TEST(EpsilonInsensitiveLoss, ConsistsOfAPieceForEachKink) {
  for (const double epsilon : {0.0, 0.5}) {
    const With tube{.epsilon = epsilon};
    const auto pieces = tube.pieces();
    EXPECT_EQ(pieces.size(), epsilon > 0 ? 2u : 1u);
    for (const double r : {-2.0, -0.5, -0.25, 0.0, 0.5, 3.0}) {
      double sum = 0;
      for (const auto& piece : pieces) sum += std::max(piece.high * (r - piece.shift), piece.low * (r - piece.shift));
      EXPECT_EQ(sum, tube.value(r, 0)) << r;
    }
  }
}
