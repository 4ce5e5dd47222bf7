#include "loss/hinge/hinge.hpp"

#include <gtest/gtest.h>

using Hinge = recta::loss::hinge::Loss;

TEST(HingeLoss, IsWhatTheMarginLacksOfOne) {
  EXPECT_EQ(Hinge::value(1, 0), 1);
  EXPECT_EQ(Hinge::value(1, 0.25), 0.75);
  EXPECT_EQ(Hinge::value(-1, 2), 3);
  EXPECT_EQ(Hinge::value(1, 1), 0);
  EXPECT_EQ(Hinge::value(-1, -7), 0);
}

TEST(HingeLoss, FenchelYoungResidualVanishesAtItsSubgradients) {
  EXPECT_EQ(Hinge::fenchel_young(1, 0, 1), 0);   // short of the margin: d = y
  EXPECT_EQ(Hinge::fenchel_young(-1, -3, 0), 0); // beyond it: d = 0
  EXPECT_EQ(Hinge::fenchel_young(1, 1, 0.5), 0); // on it: anything between
  EXPECT_EQ(Hinge::fenchel_young(1, 3, 0.5), 1);
}
