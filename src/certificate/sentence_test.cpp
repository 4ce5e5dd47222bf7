
#include "certificate/stated_verdict.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

Certificate of(Claim claim, Verdict::Word verdict) {
  Certificate c;
  c.claim = std::move(claim);
  c.verdict = stated_verdict(verdict);
  c.objective = 10.947;
  c.null_objective = 42.2;
  c.tolerance = 1e-10;
  c.stop = "time limit";
  return c;
}

TEST(Sentence, AProofNamesTheObjectiveTheDistanceAndTheTolerance) {
  EXPECT_EQ(
      of(ExactOptimum{3.1e-28, 0, 0, false}, Verdict::proved).sentence(),
      "Proved: the objective 10.947 is within 3.1e-28 of the optimum (tolerance 4.2e-09); checked in a fresh pass "
      "over the rows.");
}

TEST(Sentence, RoundingThatMayHideMoreThanTheToleranceIsToldApart) {
  Certificate c = of(ExactOptimum{2e-9, 0, 0, false}, Verdict::within_tolerance);
  c.slack = 1.05e-9; // together still within
  EXPECT_THAT(c.sentence(), ::testing::HasSubstr("is within 3.1e-09 of the optimum (tolerance 4.2e-09)"));
  c.slack = 0.00012;
  EXPECT_EQ(c.sentence(), "Within tolerance, not proved: the objective 10.947 is 2e-09 above the optimum as computed, "
                          "and the rounding of the check may hide 0.00012 more (tolerance 4.2e-09); checked in a fresh "
                          "pass over the rows.");
}

TEST(Sentence, WhatIsBeyondTheToleranceIsNotCalledWithin) {
  const std::string text = of(ExactOptimum{0.5, 0, 0, false}, Verdict::within_tolerance).sentence();
  EXPECT_THAT(text,
              ::testing::StartsWith("Within what rounding can cost, not proved: the objective 10.947 is 0.5 above"));
}

TEST(Tolerance, IsReachedByWhatWasComputedAndNotByTheVerdictAlone) {
  EXPECT_TRUE(of(ExactOptimum{2e-9, 0, 0, false}, Verdict::proved).reaches_tolerance());
  EXPECT_TRUE(of(DualityGap{1, 1, 2e-9, false}, Verdict::within_tolerance).reaches_tolerance());
  EXPECT_FALSE(of(ExactOptimum{0.5, 0, 0, false}, Verdict::within_tolerance).reaches_tolerance());
  EXPECT_FALSE(of(DualityGap{1, 0.5, 0.5, false}, Verdict::within_tolerance).reaches_tolerance());
  EXPECT_FALSE(of(ExactOptimum{}, Verdict::stopped_early).reaches_tolerance());
  EXPECT_TRUE(of(Stationary{0.1}, Verdict::within_tolerance).reaches_tolerance()); // which has no distance
}

TEST(Sentence, ConditionsFollow) {
  Certificate c = of(ExactOptimum{}, Verdict::proved);
  c.conditions = {"rank 12 of 13"};
  EXPECT_THAT(c.sentence(), ::testing::EndsWith("; rank 12 of 13."));
}

TEST(Sentence, OnlyAProofIsCalledProved) {
  const std::vector<Claim> claims{ExactOptimum{}, DualityGap{},      KktResidual{}, SeparatingHyperplane{},
                                  NotSeparable{}, NoFiniteMaximum{}, Counted{},     Searched{},
                                  Stationary{}};
  for (const Claim& claim : claims)
    for (const Verdict::Word verdict : {Verdict::within_tolerance, Verdict::stopped_early, Verdict::refuted}) {
      const std::string text = of(claim, verdict).sentence();
      EXPECT_THAT(text, ::testing::Not(::testing::StartsWith("Proved"))) << name(claim);
      EXPECT_THAT(text, ::testing::EndsWith(".")) << name(claim);
    }
}

TEST(Sentence, WhatWasStoppedSaysByWhat) {
  EXPECT_EQ(
      of(ExactOptimum{0.5, 0, 0, false}, Verdict::stopped_early).sentence(),
      "Stopped early (time limit), not proved: the objective 10.947 is 0.5 above the optimum, more than the tolerance "
      "4.2e-09; checked in a fresh pass over the rows.");
}

TEST(Sentence, WhatWasChangedByHandSaysSoAndGivesADistanceOnlyWhereOneIsKnown) {
  Certificate c = of(ExactOptimum{0.5, 0, 0, false}, Verdict::stopped_early);
  c.stop = Stop::changed_by_hand;
  EXPECT_EQ(c.sentence(),
            "Changed by hand, not proved: the objective 10.947 is 0.5 above the optimum, more than the tolerance "
            "4.2e-09; checked in a fresh pass over the rows.");
  c.objective = NAN;
  EXPECT_EQ(c.sentence(),
            "Changed by hand, not proved: the coefficients are not those of the fit; verify says how far from the "
            "optimum they are.");
}

TEST(Sentence, EveryClaimAndVerdictHasItsOwnName) {
  EXPECT_EQ(name(Claim(ExactOptimum{})), "exact_optimum");
  EXPECT_EQ(name(Claim(Stationary{})), "stationary");
  EXPECT_EQ(name(Verdict::within_tolerance), "within_tolerance");
}

} // namespace
} // namespace recta
