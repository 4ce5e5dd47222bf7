#include "certificate/least_squares/certify.hpp"
#include "objective/test_exact.hpp"
#include "stats/pass.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::Rational;
using testing::Rows;
using testing::to_double;

double draw(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<double>(static_cast<std::int64_t>(state >> 40) - (1 << 23)) / (1 << 20);
}

Rows random_rows(Index n, Index p, std::uint64_t seed = 3) {
  Rows rows(n, p, {}, {});
  for (Index i = 0; i < n * p; ++i) rows.x.push_back(draw(seed));
  for (Index i = 0; i < n; ++i) rows.y.push_back(draw(seed));
  return rows;
}

Gram gram_of(Rows& rows, Precision precision) {
  Pool pool(1);
  return *fresh_pass(rows, Gram(rows.p, rows.k, precision), pool, {}, {});
}

// The exact answer, rounded to doubles.
Claimed claim_of(const testing::Exact& exact, LeastSquaresObjective objective) {
  Claimed claim;
  claim.objective = std::move(objective);
  const std::size_t lead = claim.objective.intercept ? 1 : 0;
  for (std::size_t i = lead; i < exact.w.size(); ++i) claim.w.push_back(to_double(exact.w[i]));
  claim.b = {lead > 0 ? to_double(exact.w[0]) : 0.0};
  return claim;
}

// F at (w, b), without rounding.
Rational objective_at(const Rows& rows, const Claimed& claim) {
  Rational sum = 0, total = 0, penalty = 0;
  for (Index i = 0; i < rows.n; ++i) {
    Rational rest = Rational(rows.y[i]) - Rational(claim.b[0]);
    if (!rows.offset.empty()) rest -= Rational(rows.offset[i]);
    for (Index j = 0; j < rows.p; ++j) rest -= Rational(rows.x[i * rows.p + j]) * Rational(claim.w[j]);
    const Rational v = rows.weights.empty() ? Rational(1) : Rational(rows.weights[i]);
    sum += v * rest * rest;
    total += v;
  }
  for (const double w : claim.w) penalty += Rational(w) * Rational(w) * Rational(claim.objective.lambda2);
  return sum / (2 * total) + penalty / 2;
}

Certificate certified(const Claimed& claim, const Gram* gram, RowSource* rows) {
  Pool pool(2);
  const auto checked = certify(claim, gram, rows, pool);
  EXPECT_TRUE(checked) << checked.error().text();
  return checked->certificate;
}

LeastSquaresObjective ridge(double lambda2, bool intercept = true) {
  LeastSquaresObjective objective;
  objective.lambda2 = lambda2;
  objective.intercept = intercept;
  return objective;
}

class Certify : public ::testing::TestWithParam<Precision> {};

TEST_P(Certify, TheExactAnswerIsProved) {
  Rows rows = random_rows(30, 4);
  for (const double lambda2 : {0.0, 0.5})
    for (const bool intercept : {true, false}) {
      const auto exact = testing::exact_least_squares(rows, intercept, Rational(lambda2) * 30);
      const Gram gram = gram_of(rows, GetParam());
      const Certificate c = certified(claim_of(exact, ridge(lambda2, intercept)), &gram, &rows);
      EXPECT_EQ(c.verdict, Verdict::proved) << c.sentence();
      EXPECT_NEAR(c.objective, to_double(exact.objective), 1e-15 * c.objective);
      EXPECT_LT(std::get<ExactOptimum>(c.claim).suboptimality, 1e-28);
      EXPECT_EQ(c.passes, 1);
    }
}

TEST_P(Certify, AChangedCoefficientIsRefutedByExactlyWhatItCosts) {
  Rows rows = random_rows(30, 4);
  rows.weights.assign(30, 1.0);
  rows.weights[3] = 5;
  rows.weights[4] = 0;
  for (const double lambda2 : {0.0, 0.5})
    for (const double change : {1e-1, 1e-3}) {
      const auto exact = testing::exact_least_squares(rows, true, Rational(lambda2) * 33);
      Claimed claim = claim_of(exact, ridge(lambda2));
      claim.w[2] += change;
      claim.b[0] -= change / 2;
      const Gram gram = gram_of(rows, GetParam());
      const Certificate c = certified(claim, &gram, &rows);
      EXPECT_EQ(c.verdict, Verdict::refuted) << c.sentence();
      const double cost = to_double(objective_at(rows, claim) - exact.objective);
      EXPECT_NEAR(std::get<ExactOptimum>(c.claim).suboptimality, cost, 1e-9 * cost);
    }
}

TEST_P(Certify, AChangeBelowTheToleranceIsStillMeasured) {
  Rows rows = random_rows(40, 3);
  const auto exact = testing::exact_least_squares(rows, true);
  Claimed claim = claim_of(exact, ridge(0));
  claim.w[0] += 1e-7;
  const Gram gram = gram_of(rows, GetParam());
  const Certificate c = certified(claim, &gram, &rows);
  EXPECT_EQ(c.verdict, Verdict::proved);
  const double cost = to_double(objective_at(rows, claim) - exact.objective);
  EXPECT_NEAR(std::get<ExactOptimum>(c.claim).suboptimality, cost, 1e-6 * cost);
  double spread = 0, mean = 0;
  for (Index i = 0; i < 40; ++i) mean += rows.x[i * 3] / 40;
  for (Index i = 0; i < 40; ++i) spread += (rows.x[i * 3] - mean) * (rows.x[i * 3] - mean) / 40;
  EXPECT_NEAR(std::get<ExactOptimum>(c.claim).coefficient_error, 1e-7 * std::sqrt(spread), 1e-12);
}

// The intercept is what one row asks for, as a double: no model is nearer, and the tolerance is one of nothing.
TEST_P(Certify, OneRowWithAnOffsetIsMetAsNearlyAsDoublesCan) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    std::uint64_t state = seed;
    Rows rows(1, 1, {draw(state)}, {draw(state) / 3});
    rows.offset = {draw(state) / 7};
    Claimed claim;
    claim.objective = ridge(seed % 2 ? 0 : 0.1);
    claim.w = {0}, claim.b = {rows.y[0] - rows.offset[0]};
    const Gram gram = gram_of(rows, GetParam());
    const Certificate c = certified(claim, &gram, &rows);
    EXPECT_EQ(c.verdict, objective_at(rows, claim) == 0 ? Verdict::proved : Verdict::within_tolerance) << c.sentence();
    EXPECT_GE(std::get<ExactOptimum>(c.claim).suboptimality + c.slack, to_double(objective_at(rows, claim)));
    claim.b[0] += 1e-3;
    EXPECT_EQ(certified(claim, &gram, &rows).verdict, Verdict::refuted);
  }
}

TEST_P(Certify, SaysHowFarACoefficientIsOffThatAWeakPenaltyDoesNotDecide) {
  Rows rows = random_rows(30, 2);
  for (Index i = 0; i < 30; ++i) rows.x[i * 2 + 1] = 2 * rows.x[i * 2]; // only the penalty tells them apart
  const auto exact = testing::exact_least_squares(rows, true, Rational(1e-9) * 30);
  Claimed claim = claim_of(exact, ridge(1e-9));
  const Gram gram = gram_of(rows, GetParam());
  EXPECT_THAT(certified(claim, &gram, &rows).sentence(), ::testing::Not(::testing::HasSubstr("too weak")));
  claim.w[0] += 0.5, claim.w[1] -= 0.25;
  const Certificate c = certified(claim, &gram, &rows);
  EXPECT_EQ(c.verdict, Verdict::proved) << c.sentence();
  EXPECT_THAT(c.sentence(), ::testing::HasSubstr("the penalty is too weak to decide it"));
}

// Not even in the last bit: what rounding did to the figure is in the slack.
TEST_P(Certify, TheTrueDistanceIsNeverAboveTheStatedOneAndItsSlack) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    std::uint64_t state = seed;
    const Index p = 1 + static_cast<Index>(seed % 4), n = p + 3 + static_cast<Index>(seed % 17);
    Rows rows = random_rows(n, p, seed);
    const double near = std::ldexp(1.0, -static_cast<int>(seed % 30));
    for (Index i = 0; i < n; ++i) {
      if (p > 1 && seed % 3 == 0) rows.x[i * p + 1] = rows.x[i * p] + near * draw(state); // nearly the same column
      rows.x[i * p] = std::ldexp(rows.x[i * p], static_cast<int>(seed % 40) - 20) + (seed % 5 == 0 ? 1000 : 0);
      if (seed % 4 == 1) rows.weights.push_back(std::abs(draw(state)));
      if (seed % 4 == 2) rows.offset.push_back(100 * draw(state));
      if (seed % 6 == 0) rows.y[i] = 3 * rows.x[i * p] + 1; // nothing left but rounding
    }
    Rational total = 0;
    for (Index i = 0; i < n; ++i) total += rows.weights.empty() ? Rational(1) : Rational(rows.weights[i]);
    const double lambda2 = seed % 2 == 0 ? 0 : std::ldexp(1.0, static_cast<int>(seed % 50) - 30);
    const auto exact = testing::exact_least_squares(rows, true, total * Rational(lambda2));
    Claimed claim = claim_of(exact, ridge(lambda2));
    if (seed % 7 == 0) claim.w[0] *= 1 + 1e-9;
    const Gram gram = gram_of(rows, GetParam());
    for (RowSource* source : {static_cast<RowSource*>(&rows), static_cast<RowSource*>(nullptr)}) {
      const Certificate c = certified(claim, &gram, source);
      const double stated = std::get<ExactOptimum>(c.claim).suboptimality;
      EXPECT_LE(objective_at(rows, claim) - exact.objective, Rational(stated) + Rational(c.slack))
          << seed << ": " << c.sentence();
    }
    if (lambda2 > 0) {
      const Certificate c = certified(claim, nullptr, &rows);
      EXPECT_LE(objective_at(rows, claim) - exact.objective,
                Rational(std::get<DualityGap>(c.claim).gap) + Rational(c.slack))
          << seed << ": " << c.sentence();
    }
  }
}

TEST_P(Certify, FromMergedStatisticsItIsNeverCalledAProof) {
  Rows rows = random_rows(30, 4);
  const auto exact = testing::exact_least_squares(rows, true);
  const Gram gram = gram_of(rows, GetParam());
  const Certificate c = certified(claim_of(exact, ridge(0)), &gram, nullptr);
  EXPECT_EQ(c.verdict, Verdict::within_tolerance);
  EXPECT_TRUE(std::get<ExactOptimum>(c.claim).from_merged_statistics);
  EXPECT_NEAR(c.objective, to_double(exact.objective), 1e-12);
  EXPECT_THAT(c.sentence(), ::testing::HasSubstr("not proved"));
  EXPECT_THAT(c.sentence(), ::testing::HasSubstr("merged statistics"));
  EXPECT_EQ(c.passes, 0);
}

TEST_P(Certify, MergedStatisticsStillRefuteAWrongAnswer) {
  Rows rows = random_rows(30, 4);
  Claimed claim = claim_of(testing::exact_least_squares(rows, true), ridge(0));
  claim.w[1] += 0.01;
  const Gram gram = gram_of(rows, GetParam());
  EXPECT_EQ(certified(claim, &gram, nullptr).verdict, Verdict::refuted);
}

TEST_P(Certify, DependentColumnsAreACondition) {
  Rows rows = random_rows(30, 3), two(30, 2, {}, rows.y);
  for (Index i = 0; i < 30; ++i) {
    rows.x[i * 3 + 2] = rows.x[i * 3];
    two.x.insert(two.x.end(), {rows.x[i * 3], rows.x[i * 3 + 1]});
  }
  Claimed claim = claim_of(testing::exact_least_squares(two, true), ridge(0));
  claim.w.push_back(0); // any split between the two equal columns is optimal
  const Gram gram = gram_of(rows, GetParam());
  const Certificate c = certified(claim, &gram, &rows);
  EXPECT_EQ(c.verdict, Verdict::proved) << c.sentence();
  EXPECT_EQ(c.passes, 2);
  EXPECT_EQ(c.conditions,
            std::vector<std::string>{"optimal over 2 independent columns of 3; the others are combinations of "
                                     "them, exactly, in every row: column 3 = column 1"});
  Rows bent = rows; // in one row, by the last bit
  bent.x[17 * 3 + 2] = std::nextafter(bent.x[17 * 3 + 2], 100.0);
  const Gram bent_gram = gram_of(bent, GetParam());
  const Certificate open = certified(claim, &bent_gram, &bent);
  EXPECT_EQ(open.verdict, Verdict::stopped_early) << open.sentence(); // row 17 can be met exactly
  EXPECT_TRUE(std::holds_alternative<KktResidual>(open.claim));
  EXPECT_THAT(open.conditions.at(0), ::testing::HasSubstr("combinations of them to rounding: column 3"));
  bent.weights.assign(30, 1.0); // but a row without weight is absent
  bent.weights[17] = 0;
  two.weights = bent.weights;
  claim = claim_of(testing::exact_least_squares(two, true), ridge(0));
  claim.w.push_back(0);
  const Gram weighted = gram_of(bent, GetParam());
  EXPECT_EQ(certified(claim, &weighted, &bent).verdict, Verdict::proved);
  EXPECT_EQ(certified(claim, &weighted, nullptr).verdict, Verdict::within_tolerance); // the rows were not read again
  claim = claim_of(testing::exact_least_squares(Rows(30, 2, two.x, rows.y), true), ridge(0));
  claim.w.push_back(0);
  claim.w[2] = 0.01; // without taking it from the other
  EXPECT_EQ(certified(claim, &gram, &rows).verdict, Verdict::refuted);
}

TEST_P(Certify, DependentColumnsDoNotMatterWhereNothingIsLeftOver) {
  Rows rows = random_rows(30, 2);
  for (Index i = 0; i < 30; ++i) {
    rows.x[i * 2 + 1] = rows.x[i * 2];
    rows.y[i] = 2 * rows.x[i * 2];
  }
  Claimed claim;
  claim.w = {2, 0};
  claim.b = {0};
  const Gram gram = gram_of(rows, GetParam());
  EXPECT_EQ(certified(claim, &gram, &rows).verdict, Verdict::proved);
}

TEST_P(Certify, AConstantTargetIsFittedByItsMean) {
  Rows rows = random_rows(30, 2);
  rows.y.assign(30, 0.1);
  Claimed claim;
  claim.w = {0, 0};
  claim.b = {0.1};
  const Gram gram = gram_of(rows, GetParam());
  EXPECT_EQ(certified(claim, &gram, &rows).verdict, Verdict::proved);
  claim.b = {0.1001};
  EXPECT_EQ(certified(claim, &gram, &rows).verdict, Verdict::refuted);
}

INSTANTIATE_TEST_SUITE_P(Precisions, Certify, ::testing::Values(Precision::standard, Precision::extended),
                         [](const auto& info) { return info.param == Precision::standard ? "standard" : "extended"; });

TEST(CertifyWithoutGram, RidgeIsProvedByItsDualityGap) {
  Rows rows = random_rows(10, 15);
  const auto exact = testing::exact_least_squares(rows, true, Rational(10));
  Claimed claim = claim_of(exact, ridge(1));
  const Certificate c = certified(claim, nullptr, &rows);
  EXPECT_EQ(c.verdict, Verdict::proved) << c.sentence();
  EXPECT_EQ(c.passes, 2);
  claim.w[4] += 1e-2;
  const Certificate wrong = certified(claim, nullptr, &rows);
  EXPECT_EQ(wrong.verdict, Verdict::refuted);
  const double cost = to_double(objective_at(rows, claim) - exact.objective);
  EXPECT_GE(std::get<DualityGap>(wrong.claim).gap, cost);
}

TEST(CertifyWithoutGram, APerfectFitNeedsNoFactor) {
  Rows rows(2, 3, {1, 0, 0, 0, 1, 0}, {3, 4});
  Claimed claim;
  claim.objective.intercept = false;
  claim.w = {3, 4, 0};
  claim.b = {0};
  EXPECT_EQ(certified(claim, nullptr, &rows).verdict, Verdict::proved);
}

TEST(CertifyWithoutGram, LeastSquaresThatDoesNotFitIsOnlyWithinTolerance) {
  Rows rows = random_rows(30, 3);
  Claimed claim = claim_of(testing::exact_least_squares(rows, true), ridge(0));
  const Certificate c = certified(claim, nullptr, &rows);
  EXPECT_EQ(c.verdict, Verdict::within_tolerance);
  EXPECT_THAT(c.sentence(), ::testing::HasSubstr("not proved"));
  claim.w[0] += 1e-3;
  EXPECT_EQ(certified(claim, nullptr, &rows).verdict, Verdict::refuted);
  claim.stopped_early = true;
  claim.stop = "interrupted";
  EXPECT_EQ(certified(claim, nullptr, &rows).verdict, Verdict::stopped_early);
}

TEST(CertifyRefuses, NumbersThatAreNotFiniteAndWrongShapesAreRefused) {
  Rows rows = random_rows(10, 2);
  Pool pool(1);
  Claimed claim;
  claim.w = {1, std::nan("")};
  claim.b = {0};
  EXPECT_EQ(certify(claim, nullptr, &rows, pool).error().code, ErrorCode::refuted);
  claim.w = {1};
  EXPECT_EQ(
      certify(claim, nullptr, &rows, pool).error().text(),
      "certificate: the model has 1 coefficients and 1 intercepts, the rows have 2 features and 1 targets; give the "
      "data the model was trained on");
}

} // namespace
} // namespace recta
