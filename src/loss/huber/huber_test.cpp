#include "loss/huber/huber.hpp"

#include <gtest/gtest.h>

using Huber = recta::loss::huber::Loss;
using recta::loss::huber::With;

TEST(HuberLoss, IsASquareUpToOneAndAStraightLineBeyond) {
  EXPECT_EQ(Huber::value(2, 1.5), 0.125);
  EXPECT_EQ(Huber::value(0, 1), 0.5);
  EXPECT_EQ(Huber::value(0, -5), 4.5);
  EXPECT_EQ(Huber::derivative(0, -5), -1);
  EXPECT_EQ(Huber::curvature(0, 0.5), 1);
  EXPECT_EQ(Huber::curvature(0, 1.5), 0);
}

TEST(HuberLoss, WithAScaleIsThePerspectiveOfItself) {
  const With at{.epsilon = 1.5, .scale = 2};
  EXPECT_EQ(at.value(0, 2), 1);               // 2 * (1^2 / 2)
  EXPECT_EQ(at.value(0, 8), 2 * (6 - 1.125)); // t = 4: 1.5 * 4 - 1.5^2 / 2
  EXPECT_EQ(at.derivative(0, -8), -1.5);
  EXPECT_EQ(at.curvature(0, 2), 0.5);
  EXPECT_EQ(at.majorant(0, 8), 0.1875); // 1.5 / 4 / 2
}

TEST(HuberLoss, FenchelYoungResidualVanishesAtTheNaturalDualVariable) {
  const With at{.epsilon = 1.35, .scale = 0.7};
  for (const double z : {-3.0, -0.2, 0.0, 1.0, 4.0}) EXPECT_EQ(at.fenchel_young(0.5, z, -at.derivative(0.5, z)), 0);
}
