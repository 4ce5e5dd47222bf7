#include "loss/pseudo_huber/pseudo_huber.hpp"

#include <gtest/gtest.h>

using PseudoHuber = recta::loss::pseudo_huber::Loss;
using recta::loss::pseudo_huber::With;

TEST(PseudoHuberLoss, IsOneLessThanTheRootOfOneAndTheSquare) {
  EXPECT_DOUBLE_EQ(PseudoHuber::value(0, 0.75), 0.25); // 3-4-5: sqrt(1 + 9/16) = 5/4
  EXPECT_DOUBLE_EQ(PseudoHuber::derivative(0, 0.75), 0.6);
  EXPECT_DOUBLE_EQ(With{4}.value(0, 3), 4); // 16 (5/4 - 1)
}

TEST(PseudoHuberLoss, KeepsItsDigitsNearZero) {
  EXPECT_DOUBLE_EQ(PseudoHuber::value(0, 1e-9), 0.5e-18);
}

TEST(PseudoHuberLoss, IsBelowTheParabolaOfItsMajorant) {
  for (const double z : {0.1, 1.0, 7.5, 1e3})
    for (const double at : {-1e4, -3.0, 0.0, 0.2, 2.0, 50.0}) {
      const With loss{2};
      const double way = at - z,
                   parabola = loss.value(0, z) + loss.derivative(0, z) * way + loss.majorant(0, z) * way * way / 2;
      EXPECT_LE(loss.value(0, at), parabola * (1 + 1e-12));
    }
}
