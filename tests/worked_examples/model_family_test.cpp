// M1 to M3 and M5: affine functions, the intercept, standardising, one-hot coding. Each by numbers done on paper.
#include "worked.hpp"

#include <gmock/gmock.h>

namespace recta {

using testing::ElementsAre;

TEST(M1, AnAffineFunctionIsFoundAndContinued) {
  const Model model = proved("linear", table("a,c,y\n0,0,3\n1,0,5\n0,1,2\n2,3,4\n"), {.target = {"y"}}); // 2 a - c + 3
  expect_exactly(coefficient(model, "a"), 2);
  expect_exactly(coefficient(model, "c"), -1);
  expect_exactly(intercept(model), 3);
  expect_exactly(model.predict(table("a,c\n5,1\n")).value()[0], 12);
}

// x = -1, 1 and the constant 1 are orthogonal with mean square 1, and X'y / n = (1, 1): with lambda = 1 each
// coefficient is 1 / (1 + 1), the constant column's too, since it is a feature like others.
TEST(M2, AConstantColumnOfTheUserIsPenalisedLikeAnyFeature) {
  const Model model = proved("ridge", table("one,x,y\n1,-1,0\n1,1,2\n"),
                             {.target = {"y"}, .intercept = false, .params = {{"lambda", 1.0}}});
  expect_exactly(coefficient(model, "one"), 0.5);
  expect_exactly(coefficient(model, "x"), 0.5);
  EXPECT_EQ(intercept(model), 0);
}

TEST(M2, TheInterceptIsTheConstantFeatureWithoutPenalty) {
  const Model model = proved("ridge", table("x,y\n-1,0\n1,2\n"), {.target = {"y"}, .params = {{"lambda", 1.0}}});
  expect_exactly(intercept(model), 1);
  expect_exactly(coefficient(model, "x"), 0.5);
}

TEST(M2, WithoutInterceptTheLineGoesThroughTheOrigin) { // sum xy / sum xx = 11 / 5
  const Model model = proved("linear", table("x,y\n1,3\n2,4\n"), {.target = {"y"}, .intercept = false});
  expect_exactly(coefficient(model, "x"), 2.2);
  expect_exactly(model.predict(table("x\n0\n")).value()[0], 0);
}

// Weights 1, 1, 2 on x = 1, 2, 4: mean 11/4, sd^2 = (49/16 + 9/16 + 2 * 25/16) / 4 = 27/16. y = x, so the standardised
// coefficient without penalty is sd; lambda = 1 halves it.
TEST(M3, MeansAndDeviationsAreWeightedAndAColumnThatNeverVariesIsOnlyCentred) {
  const Model model = proved("ridge", table("x,seven,v,y\n1,7,1,1\n2,7,1,2\n4,7,2,4\n"),
                             {.target = {"y"}, .weights = "v", .standardise = true, .params = {{"lambda", 1.0}}});
  expect_exactly(model.linear()->means[0], 2.75);
  expect_exactly(model.linear()->means[1], 7);
  const double sd = std::sqrt(27.0 / 16);
  expect_exactly(model.linear()->deviations[0], sd);
  const auto& x = model.linear()->targets[0].coefficients[0];
  expect_exactly(x.standardised, sd / 2);
  expect_exactly(x.value, 0.5);
  EXPECT_EQ(coefficient(model, "seven"), 0);
}

TEST(M3, WhatWasLearnedInTrainingIsAppliedUnchangedWhenPredicting) {
  const Model model = proved("ridge", table("x,v,y\n1,1,1\n2,1,2\n4,2,4\n"),
                             {.target = {"y"}, .weights = "v", .standardise = true, .params = {{"lambda", 1.0}}});
  const auto z = model.predict(table("x\n10\n10\n2.75\n")).value(); // a mean of these rows would be another
  expect_exactly(z[0], 2.75 + 0.5 * (10 - 2.75));
  expect_exactly(z[2], 2.75);
}

constexpr std::string_view kColours = "colour,y\nred,6\ngreen,2\nblue,1\nred,8\ngreen,4\nblue,3\n";

TEST(M5, WithoutPenaltyTheFirstLevelIsTheReferenceAndTheOthersAreDifferencesToIt) { // means: blue 2, green 3, red 7
  const Model model = proved("linear", table(kColours), {.target = {"y"}});
  EXPECT_THAT(model.schema.columns[0].levels, ElementsAre("blue", "green", "red"));
  EXPECT_EQ(model.schema.columns[0].reference, "blue");
  EXPECT_THAT(model.feature_names(), ElementsAre("colour=green", "colour=red"));
  expect_exactly(intercept(model), 2);
  expect_exactly(coefficient(model, "colour=green"), 1);
  expect_exactly(coefficient(model, "colour=red"), 5);
}

// Centred, the three columns give w_l = share_l (mean_l - b - w_l) / lambda: with shares 1/3 and lambda = 1/3 each
// level keeps half of its distance to the mean 4.
TEST(M5, WithAPenaltyEveryLevelHasItsOwnFeature) {
  const Model model = proved("ridge", table(kColours), {.target = {"y"}, .params = {{"lambda", 1.0 / 3}}});
  EXPECT_TRUE(model.schema.columns[0].reference.empty());
  expect_exactly(intercept(model), 4);
  expect_exactly(coefficient(model, "colour=blue"), -1);
  expect_exactly(coefficient(model, "colour=green"), -0.5);
  expect_exactly(coefficient(model, "colour=red"), 1.5);
}

TEST(M5, LevelsThatAreNumbersAreSortedByValue) {
  const ReadOptions options{.format = "csv", .types = {{"size", ColumnType::category}}};
  const Model model = proved("linear", table("size,y\n10,1\n9,2\n100,4\n", options), {.target = {"y"}});
  EXPECT_THAT(model.schema.columns[0].levels, ElementsAre("9", "10", "100"));
}

} // namespace recta
