// Problems whose optimum is known in closed form: the bound holds there, at answers near and far.
#include "certificate/loss/certify.hpp"
#include "stats/test_rows.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using ::testing::HasSubstr;
using testing::Table;
using testing::TableRows;

struct Judged {
  LossFacts facts;
  LossChecked checked;
};

Judged judge(const LossObjective& objective, const Table& t, std::vector<double> w, double b, double scale = 1) {
  Pool pool(2);
  TableRows rows(t, 64);
  auto facts = loss_facts(rows, pool, {}, {});
  EXPECT_TRUE(facts) << facts.error().text();
  EXPECT_TRUE(add_null(objective, rows, pool, {}, *facts));
  LossClaimed claimed{.objective = objective, .facts = &*facts, .w = std::move(w), .b = b, .scale = scale};
  auto checked = certify(claimed, nullptr, &rows, pool);
  EXPECT_TRUE(checked) << checked.error().text();
  return {*facts, *checked};
}

double gap_of(const Judged& found) {
  return std::get<DualityGap>(found.checked.certificate.claim).gap;
}

// Two groups: the best means are those of the groups, and the objective is a sum over them.
const Table kGroups{7, 1, 1, {0, 0, 0, 1, 1, 1, 1}, {1, 3, 2, 5, 7, 6, 10}, {}, {}};

double half_deviance(double b, double w) {
  double sum = 0;
  for (std::size_t i = 0; i < 7; ++i) {
    const double y = kGroups.y[i], z = b + w * kGroups.x[i];
    sum += std::exp(z) - y - y * (z - std::log(y));
  }
  return sum / 7;
}

TEST(LossCertificate, ProvesThePoissonRegressionOfTwoGroups) {
  const Judged found = judge({.loss = "poisson"}, kGroups, {std::log(7.0 / 2)}, std::log(2.0));
  EXPECT_EQ(found.checked.certificate.verdict, Verdict::proved);
  EXPECT_LT(gap_of(found), 1e-28);
  EXPECT_LT(found.checked.certificate.slack, 1e-20);
  EXPECT_NEAR(found.checked.certificate.objective, half_deviance(std::log(2.0), std::log(3.5)), 1e-15);
  EXPECT_NEAR(found.facts.null_intercept, std::log(34.0 / 7), 1e-12);
  EXPECT_DOUBLE_EQ(found.checked.squares, 2 + 14);
}

TEST(LossCertificate, BoundsWhatAnAnswerLacksFromNearAndFar) {
  const double least = half_deviance(std::log(2.0), std::log(3.5));
  for (const double off : {1e-8, 1e-4, 1e-2, 0.3, 2.0}) {
    const Judged found = judge({.loss = "poisson"}, kGroups, {std::log(3.5) + off}, std::log(2.0) - off / 3);
    const double lacks = half_deviance(std::log(2.0) - off / 3, std::log(3.5) + off) - least;
    const Certificate& c = found.checked.certificate;
    EXPECT_GE(gap_of(found) + c.slack, lacks - 1e-15) << off;
    if (off <= 1e-2) { // and not by much
      EXPECT_LE(gap_of(found), 1.1 * lacks + 1e-15) << off;
    }
    EXPECT_EQ(c.verdict, off <= 1e-8 ? Verdict::proved : Verdict::refuted);
  }
}

TEST(LossCertificate, OfAFitThatWasStoppedGivesWhatThePatienceOfTheCallerAllows) {
  Pool pool(2);
  TableRows rows(kGroups, 64);
  const LossObjective objective{.loss = "poisson"};
  auto facts = loss_facts(rows, pool, {}, {});
  ASSERT_TRUE(facts && add_null(objective, rows, pool, {}, *facts));
  LossClaimed claimed{.objective = objective, .facts = &*facts, .w = {1.5}, .b = 0.5, .stopped_early = true};
  claimed.patience = 60;
  const auto whole = certify(claimed, nullptr, &rows, pool);
  claimed.patience = 0;
  const auto brief = certify(claimed, nullptr, &rows, pool);
  ASSERT_TRUE(whole && brief);
  EXPECT_EQ(brief->certificate.verdict, Verdict::stopped_early);
  EXPECT_EQ(brief->certificate.objective, whole->certificate.objective);
  EXPECT_EQ(brief->squares, whole->squares);
  EXPECT_EQ(brief->rows, whole->rows);
  EXPECT_EQ(brief->rank, whole->rank);
  EXPECT_EQ(std::get<DualityGap>(brief->certificate.claim).gap, brief->certificate.objective); // F* >= 0
  EXPECT_LT(std::get<DualityGap>(whole->certificate.claim).gap, whole->certificate.objective);
}

TEST(LossCertificate, OfStraightLinesKeepsToThePatienceOfTheCallerToo) {
  Pool pool(2);
  const Table t = Table::integers(60, 50, 1000);
  TableRows rows(t, 64);
  const LossObjective objective{.loss = "epsilon-insensitive", .parameter = 0.5, .lambda2 = 1e7};
  auto facts = loss_facts(rows, pool, {}, {});
  ASSERT_TRUE(facts && add_null(objective, rows, pool, {}, *facts));
  LossClaimed claimed{
      .objective = objective, .facts = &*facts, .w = std::vector<double>(50), .b = facts->null_intercept};
  claimed.stopped_early = true;
  claimed.patience = 0;
  const auto brief = certify(claimed, nullptr, &rows, pool);
  ASSERT_TRUE(brief) << brief.error().text();
  EXPECT_EQ(brief->certificate.verdict, Verdict::stopped_early);
  EXPECT_EQ(brief->certificate.passes, 1);
  EXPECT_EQ(std::get<DualityGap>(brief->certificate.claim).gap, brief->certificate.objective); // F* >= 0
  claimed.patience = 60;
  const auto whole = certify(claimed, nullptr, &rows, pool);
  ASSERT_TRUE(whole);
  EXPECT_EQ(brief->certificate.objective, whole->certificate.objective);
  EXPECT_LT(std::get<DualityGap>(whole->certificate.claim).gap, whole->certificate.objective);
}

TEST(LossCertificate, HoldsForTheMeanUnderHuberWhereNothingIsFarAway) {
  const Table t{4, 0, 1, {}, {1, 2, 3, 6}, {}, {}}; // all within 10 of 3, so the answer is the mean
  const Judged found = judge({.loss = "huber", .parameter = 10}, t, {}, 3);
  EXPECT_EQ(found.checked.certificate.verdict, Verdict::proved);
  EXPECT_EQ(found.checked.certificate.objective, (4 + 1 + 0 + 9) / 8.0);
  EXPECT_EQ(judge({.loss = "huber", .parameter = 10}, t, {}, 3.1).checked.certificate.verdict, Verdict::refuted);
}

TEST(LossCertificate, HoldsForAFittedScale) {
  // Nothing beyond the bend: b is the mean, and the mean of t^2 is 1, so the scale is the deviation sqrt(3.5).
  const Table t{4, 0, 1, {}, {1, 2, 3, 6}, {}, {}};
  const LossObjective objective{.loss = "huber", .parameter = 10, .fitted_scale = true};
  const Judged found = judge(objective, t, {}, 3, std::sqrt(3.5));
  EXPECT_EQ(found.checked.certificate.verdict, Verdict::proved);
  EXPECT_NEAR(found.checked.certificate.objective, std::sqrt(3.5), 1e-15); // s / 2 + 3.5 / (2 s)
  const Judged off = judge(objective, t, {}, 3, 2.5);
  EXPECT_EQ(off.checked.certificate.verdict, Verdict::refuted);
  EXPECT_GE(gap_of(off), 2.5 / 2 + 3.5 / 5 - std::sqrt(3.5));
}

TEST(LossCertificate, AScaleOfZeroIsTheFitOfTheAbsoluteError) {
  // b = 0 meets three rows of four; d = (-epsilon / 3, thrice, and epsilon) has the mean square epsilon^2 / 3.
  const Table t{4, 0, 1, {}, {0, 0, 0, 1}, {}, {}};
  const Judged found = judge({.loss = "huber", .parameter = 1.5, .fitted_scale = true}, t, {}, 0, 0);
  EXPECT_EQ(found.checked.certificate.verdict, Verdict::proved) << found.checked.certificate.sentence();
  EXPECT_EQ(found.checked.certificate.objective, 1.5 / 4);
  EXPECT_LT(gap_of(found), 1e-14);
  EXPECT_EQ(judge({.loss = "huber", .parameter = 1.5, .fitted_scale = true}, t, {}, 0.1, 0).checked.certificate.verdict,
            Verdict::refuted);
  // epsilon^2 / 3 > 1: the best is the deviation sqrt(3) / 4 about the mean, and zero is 1/2.
  const Judged off = judge({.loss = "huber", .parameter = 2, .fitted_scale = true}, t, {}, 0, 0);
  EXPECT_EQ(off.checked.certificate.verdict, Verdict::refuted);
  EXPECT_GE(gap_of(off) + off.checked.certificate.slack, 0.5 - std::sqrt(3.0) / 4);
}

TEST(LossCertificate, ATargetThatDoesNotVaryCostsNothingAtTheScaleZero) {
  const Table t{3, 1, 1, {1, 2, 4}, {7, 7, 7}, {}, {}};
  const Judged found = judge({.loss = "huber", .parameter = 1.35, .fitted_scale = true}, t, {0}, 7, 0);
  EXPECT_EQ(found.facts.null_objective, 0);
  EXPECT_EQ(found.checked.certificate.verdict, Verdict::proved);
  EXPECT_EQ(gap_of(found) + found.checked.certificate.slack, 0);
}

TEST(LossCertificate, OfStraightLinesDoesNotSeeTheUnitsOfPenalisedColumns) {
  // Half the absolute error of y = x from below, and lambda2 w^2 / 2: w = 1 meets every row while lambda2 is below
  // mean |x| / 2. From above the slope is lambda2 and what is met exactly, so the gap is the way times these.
  for (const double unit : {1.0, 0x1p40, 0x1p-40}) {
    const Table t{3, 1, 1, {unit, 2 * unit, 3 * unit}, {1, 2, 3}, {}, {}};
    const LossObjective objective{
        .loss = "quantile", .parameter = 0.5, .lambda2 = 0.25 * unit * unit, .intercept = false};
    const LossObjective weak{.loss = "quantile", .parameter = 0.5, .lambda2 = 0.25, .intercept = false};
    EXPECT_EQ(judge(objective, t, {1 / unit}, 0).checked.certificate.verdict, Verdict::proved) << unit;
    if (unit >= 1) {
      EXPECT_EQ(judge(weak, t, {1 / unit}, 0).checked.certificate.verdict, Verdict::proved) << unit;
    }
    for (const double off : {1e-8, 1e-3, 0.5}) {
      const Judged found = judge(objective, t, {(1 + off) / unit}, 0);
      const double lacks = off + 0.25 * (off + off * off / 2); // mean |x| / 2 = 1
      EXPECT_GE(gap_of(found) + found.checked.certificate.slack, lacks - 1e-14) << unit;
      EXPECT_EQ(found.checked.certificate.verdict, Verdict::refuted);
    }
  }
}

TEST(LossCertificate, GivesManyRowsAtAKinkTheirShareByAPlane) {
  Table t{50'000, 1, 1, {}, {}, {}, {}};
  for (Index i = 0; i < t.rows; ++i) {
    t.x.push_back(static_cast<double>(i % 64) / 64);
    t.y.push_back(2 * t.x.back() + 1 + (i % 5 == 0 ? static_cast<double>(i % 7) : 0)); // a fifth lies above
  }
  for (const LossObjective& objective : {LossObjective{.loss = "quantile", .parameter = 0.5},
                                         LossObjective{.loss = "huber", .parameter = 1.35, .fitted_scale = true}}) {
    EXPECT_EQ(judge(objective, t, {2}, 1, 0).checked.certificate.verdict, Verdict::proved) << objective.loss;
    EXPECT_EQ(judge(objective, t, {2.001}, 1, 0).checked.certificate.verdict, Verdict::refuted) << objective.loss;
  }
}

TEST(LossCertificate, WithAPenaltyIsTheParabolaOfRidgeInsideTheBend) {
  // h is a square here: (y - w x)^2 / 2 in the mean, w = <x, y> / (<x, x> + 3 lambda) = 14 / (14 + 6).
  const Table t{3, 1, 1, {1, 2, 3}, {1, 2, 3}, {}, {}};
  const LossObjective objective{.loss = "huber", .parameter = 100, .lambda2 = 2, .intercept = false};
  EXPECT_EQ(judge(objective, t, {0.7}, 0).checked.certificate.verdict, Verdict::proved);
  const Judged off = judge(objective, t, {0.8}, 0);
  EXPECT_NEAR(gap_of(off), 20.0 / 3 * 0.1 * 0.1 / 2, 1e-12); // half the Hessian times the square of the error
}

TEST(LossCertificate, SaysWhenColumnsDependOnOthers) {
  Table t{4, 2, 1, {0, 0, 0, 0, 1, 1, 1, 1}, {1, 3, 4, 6}, {}, {}};
  const Judged found = judge({.loss = "gamma"}, t, {std::log(2.5), 0}, std::log(2.0));
  EXPECT_EQ(found.checked.certificate.verdict, Verdict::proved);
  EXPECT_THAT(found.checked.certificate.sentence(), HasSubstr("1 column is a combination of others, exactly"));
  EXPECT_EQ(found.checked.rank, 1);
  t.x.back() = std::nextafter(1, 2); // equal to rounding only
  const Judged nearly = judge({.loss = "gamma"}, t, {std::log(2.5), 0}, std::log(2.0));
  EXPECT_EQ(nearly.checked.certificate.verdict, Verdict::stopped_early);              // its last row can be met exactly
  EXPECT_TRUE(std::holds_alternative<KktResidual>(nearly.checked.certificate.claim)); // no distance
  EXPECT_THAT(nearly.checked.certificate.sentence(),
              HasSubstr("1 column is a combination of others to rounding and left out of the proof: column 2"));
  EXPECT_EQ(nearly.checked.rank, 1);
}

// Columns a and a + e / k have the space of a and e: with weights w - k v and k v the distance is that of w and v.
TEST(LossCertificate, BoundsTheDistanceOverColumnsThatAreAlike) {
  const Table apart{6, 2, 1, {0, 0, 0, 1, 1, 0, 1, 1, 2, 1, 3, 0}, {1, 3, 4, 6, 2, 5}, {}, {}};
  for (const double k : {0x1p15, 0x1p28, 0x1p36, 0x1p44}) {
    Table alike = apart;
    for (std::size_t i = 0; i < 6; ++i) alike.x[2 * i + 1] = apart.x[2 * i] + apart.x[2 * i + 1] / k; // exact
    for (const double v : {0.0, 0.25}) {
      for (const char* word : {"gamma", "poisson"}) {
        const Judged oracle = judge({.loss = word}, apart, {0.5, v}, 0.5);
        const Judged found = judge({.loss = word}, alike, {0.5 - k * v, k * v}, 0.5);
        EXPECT_NEAR(gap_of(found), gap_of(oracle), 1e-6 * gap_of(oracle)) << word << k;
        EXPECT_EQ(found.checked.certificate.verdict, Verdict::refuted);
      }
    }
  }
}

// log 3 is 9.1e-17 below the double next to it: half the square of that is missing, thrice of a count.
TEST(LossCertificate, KnowsThatTheLogarithmOfAPerfectFitIsRounded) {
  const Table t{2, 1, 1, {1, 2}, {3, 3}, {}, {}};
  for (const auto& [word, excess] : {std::pair("gamma", 4.1e-33), std::pair("poisson", 1.2e-32)}) {
    const Certificate c = judge({.loss = word}, t, {0}, std::log(3.0)).checked.certificate;
    EXPECT_GE(std::get<DualityGap>(c.claim).gap + c.slack, excess) << c.sentence();
    EXPECT_LE(std::get<DualityGap>(c.claim).gap + c.slack, 1e-29) << c.sentence();
    EXPECT_EQ(c.verdict, Verdict::within_tolerance) << c.sentence();
  }
}

TEST(LossCertificate, ProvesHuberWhereEveryRowLiesBeyondTheBend) {
  // d = delta y / 10 sums to zero, and its product with x is delta in the mean: lambda w = delta.
  const Table t{4, 1, 1, {1, -1, 1, -1}, {10, -10, 10, -10}, {}, {}};
  const LossObjective objective{.loss = "huber", .parameter = 0.125, .lambda2 = 0.5};
  const Judged found = judge(objective, t, {0.25}, 0);
  EXPECT_EQ(found.checked.certificate.verdict, Verdict::proved) << found.checked.certificate.sentence();
  EXPECT_EQ(found.checked.certificate.objective, 0.125 * (9.75 - 0.0625) + 0.015625);
  EXPECT_LT(gap_of(found) + found.checked.certificate.slack, 1e-20);
  EXPECT_EQ(judge(objective, t, {0.25}, 5).checked.certificate.verdict, Verdict::proved); // flat along b
  for (const double off : {-0.25, 1e-3, 0.5}) {
    const Judged away = judge(objective, t, {0.25 + off}, 0);
    EXPECT_EQ(away.checked.certificate.verdict, Verdict::refuted) << off;
    EXPECT_GE(gap_of(away) + away.checked.certificate.slack, off * off / 4 - 1e-15) << off;
    EXPECT_LE(gap_of(away), off * off / 4 + 1e-15) << off;
  }
  const Table uneven{3, 1, 1, {1, -1, 1}, {10, -10, 10}, {}, {}}; // d has a sum
  EXPECT_EQ(judge(objective, uneven, {0.25}, 0).checked.certificate.verdict, Verdict::refuted);
}

TEST(LossCertificate, RefusesNumbersThatAreNone) {
  Pool pool(1);
  TableRows rows(kGroups, 64);
  const auto facts = loss_facts(rows, pool, {}, {});
  LossClaimed claimed;
  claimed.objective.loss = "poisson";
  claimed.facts = &*facts;
  claimed.w = {std::nan("")};
  EXPECT_EQ(certify(claimed, nullptr, &rows, pool).error().code, ErrorCode::refuted);
  claimed.w = {1, 2};
  EXPECT_THAT(certify(claimed, nullptr, &rows, pool).error().text(), HasSubstr("2 coefficients"));
}

} // namespace
} // namespace recta
