// From proofs to verdicts: every branch once, and what may change a verdict afterwards.
#include "certificate/joined.hpp"
#include "certificate/short_of_proof.hpp"
#include "certificate/stated_verdict.hpp"
#include "certificate/verdict.hpp"

#include <gtest/gtest.h>

namespace recta {
namespace {

TEST(Verdict, IsProvedOnlyByABoundWithItsSlackWithinTheLimit) {
  EXPECT_EQ(verdict_of(exact_proof()), Verdict::proved);
  EXPECT_EQ(verdict_of({.distance = 0.5, .slack = 0.4, .limit = 1}), Verdict::proved);
  EXPECT_EQ(verdict_of({.distance = 0.5, .slack = 0.6, .limit = 1}), Verdict::within_tolerance);
  EXPECT_EQ(verdict_of({.distance = 1, .limit = 1}), Verdict::within_tolerance); // the limit is rounded
  EXPECT_EQ(verdict_of({.distance = 0.5, .limit = 1, .is_bound = false}), Verdict::within_tolerance);
  EXPECT_EQ(verdict_of({.distance = 1.5, .limit = 1, .forgiven = 0.5}), Verdict::within_tolerance);
}

TEST(Verdict, OfWhatFallsShortDependsOnWhoEndedTheSearch) {
  EXPECT_EQ(verdict_of({.distance = 2, .limit = 1}), Verdict::refuted);
  EXPECT_EQ(verdict_of({.distance = 2, .limit = 1, .ended_early = true}), Verdict::stopped_early);
  EXPECT_EQ(verdict_of({.limit = 1}), Verdict::refuted); // no distance can be stated
  EXPECT_EQ(verdict_of({.limit = 1, .ended_early = true}), Verdict::stopped_early);
}

TEST(Verdict, OfAnOpenOrAContradictedClaimIsNeverProved) {
  EXPECT_EQ(verdict_of({.distance = 0, .is_open = true}), Verdict::stopped_early);
  EXPECT_EQ(verdict_of({.distance = 0, .is_open = true, .contradicted = true}), Verdict::refuted);
  Certificate certificate;
  certificate.verdict = verdict_of(exact_proof());
  contradict(certificate, "it is not so");
  EXPECT_EQ(certificate.verdict, Verdict::refuted);
  EXPECT_EQ(certificate.conditions, std::vector<std::string>{"it is not so"});
}

TEST(Verdict, OfAFileIsMarkedAsStated) {
  EXPECT_TRUE(stated_verdict(Verdict::proved).is_stated());
  EXPECT_FALSE(verdict_of(exact_proof()).is_stated());
}

TEST(Verdict, OfAFitIsNoRefutationOfItself) {
  Certificate certificate;
  short_of_proof(certificate);
  EXPECT_EQ(certificate.verdict, Verdict::stopped_early);
  certificate.verdict = verdict_of(exact_proof());
  short_of_proof(certificate);
  EXPECT_EQ(certificate.verdict, Verdict::proved);
}

TEST(Verdict, OfAWholeIsThatOfItsWorstPart) {
  Certificate whole, part;
  whole.verdict = verdict_of(exact_proof());
  whole.stop = "solved";
  part.verdict = verdict_of({.is_open = true});
  part.stop = Stop::time_limit;
  fall_to(part, whole);
  EXPECT_EQ(whole.verdict, Verdict::stopped_early);
  EXPECT_TRUE(whole.stop.by_the_caller());
}

} // namespace
} // namespace recta
