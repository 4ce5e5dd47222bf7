#include "loss/logistic/logistic.hpp"

#include <gtest/gtest.h>
#include <numbers>

using Logistic = recta::loss::logistic::Loss;

TEST(LogisticLoss, IsTheLogarithmOfTwoWithoutAnOpinion) {
  EXPECT_DOUBLE_EQ(Logistic::value(1, 0), std::numbers::ln2);
  EXPECT_DOUBLE_EQ(Logistic::value(-1, 0), std::numbers::ln2);
  EXPECT_DOUBLE_EQ(Logistic::derivative(1, 0), -0.5);
  EXPECT_DOUBLE_EQ(Logistic::value(1, std::log(3.0)), std::log(4.0 / 3)); // odds 3 : 1
  EXPECT_DOUBLE_EQ(Logistic::derivative(-1, std::log(3.0)), 0.75);
}

TEST(LogisticLoss, KeepsItsDigitsFarToBothSides) {
  EXPECT_DOUBLE_EQ(Logistic::value(1, 50), std::exp(-50.0));
  EXPECT_EQ(Logistic::value(1, -1000), 1000);
  EXPECT_EQ(Logistic::derivative(1, -1000), -1);
  EXPECT_EQ(Logistic::derivative(1, 1000), 0);
}

TEST(LogisticLoss, FenchelYoungResidualVanishesAtTheNaturalDualVariable) {
  for (const double y : {-1.0, 1.0})
    for (const double z : {-3.0, -0.2, 0.0, 1.0, 4.0})
      EXPECT_LE(Logistic::fenchel_young(y, z, -Logistic::derivative(y, z)), 1e-16);
  EXPECT_DOUBLE_EQ(Logistic::fenchel_young(1, 0, 1), std::numbers::ln2); // certain against a coin
  EXPECT_EQ(Logistic::conjugate(1, 0), 0);
  EXPECT_EQ(Logistic::conjugate(-1, -1), 0);
}
