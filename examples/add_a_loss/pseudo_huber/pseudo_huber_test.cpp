#include "loss/pseudo_huber/pseudo_huber.hpp"

#include <gtest/gtest.h>

using PseudoHuber = recta::loss::pseudo_huber::Loss;

TEST(PseudoHuberLoss, IsOneLessThanTheRootOfOneAndTheSquare) {
  EXPECT_DOUBLE_EQ(PseudoHuber::value(0, 0.75), 0.25); // 3-4-5: sqrt(1 + 9/16) = 5/4
  EXPECT_DOUBLE_EQ(PseudoHuber::derivative(0, 0.75), 0.6);
}

TEST(PseudoHuberLoss, KeepsItsDigitsNearZero) {
  EXPECT_DOUBLE_EQ(PseudoHuber::value(0, 1e-9), 0.5e-18);
}
