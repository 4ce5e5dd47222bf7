#include "base/numbers.hpp"
#include "certificate/elastic_net/certify.hpp"
#include "certificate/elastic_net/facts.hpp"
#include "certificate/test_exact_lasso.hpp"
#include "stats/pass.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::Rational;
using testing::Rows;
using testing::to_double;

double draw(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<double>(static_cast<std::int64_t>(state >> 40) - (1 << 23)) / (1 << 20);
}

Rows random_rows(Index n, Index p, std::uint64_t seed = 5) {
  Rows rows(n, p, {}, {});
  for (Index i = 0; i < n * p; ++i) rows.x.push_back(draw(seed));
  for (Index i = 0; i < n; ++i)
    rows.y.push_back(rows.x[i * p] - 2 * rows.x[i * p + (p > 1 ? 1 : 0)] + draw(seed) / 2 + 3);
  return rows;
}

Gram gram_of(Rows& rows, Precision precision = Precision::extended) {
  Pool pool(1);
  return *fresh_pass(rows, Gram(rows.p, rows.k, precision), pool, {}, {});
}

ElasticNetClaimed claim_of(const testing::ExactNet& exact, ElasticNetObjective objective) {
  ElasticNetClaimed claim;
  claim.objective = std::move(objective);
  for (const Rational& w : exact.w) claim.w.push_back(to_double(w));
  claim.b = {to_double(exact.b)};
  return claim;
}

ElasticNetChecked checked(const ElasticNetClaimed& claim, const Gram* gram, RowSource* rows) {
  Pool pool(2);
  auto done = certify(claim, gram, rows, pool);
  EXPECT_TRUE(done) << done.error().text();
  return *std::move(done);
}

double gap_of(const Certificate& c) {
  return std::get<DualityGap>(c.claim).gap;
}

// F at the claimed numbers less F*, without rounding.
Rational exact_gap(const Rows& rows, const ElasticNetClaimed& claim, const testing::ExactNet& exact) {
  const auto sums = testing::exact_sums(rows, claim.objective);
  const std::vector<Rational> w(claim.w.begin(), claim.w.end());
  Rational mean = claim.objective.intercept ? sums.mean.back() - Rational(claim.b[0]) : Rational(0);
  for (std::size_t j = 0; claim.objective.intercept && j < w.size(); ++j) mean -= sums.mean[j] * w[j];
  return testing::net_objective(sums, claim.objective, w) + mean * mean / 2 - exact.objective;
}

struct Case {
  const char* name;
  ElasticNetObjective objective;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.name;
}

std::vector<Case> cases() {
  return {
      {"lasso", {.lambda1 = 0.5}},
      {"lasso_through_zero", {.lambda1 = 0.5, .intercept = false}},
      {"lasso_of_little_penalty", {.lambda1 = 0x1p-40}},
      {"elastic_net", {.lambda1 = 0.25, .lambda2 = 0.5}},
      {"elastic_net_of_little_square", {.lambda1 = 0.25, .lambda2 = 0x1p-60}},
      {"ridge", {.lambda2 = 0.5}},
      {"least_squares", {}},
      {"non_negative", {.lambda1 = 0.25, .lower = {0, 0, 0, 0, 0}}},
      {"non_negative_least_squares", {.lower = {0, 0, 0, 0, 0}}},
      {"in_a_box", {.lambda1 = 0.125, .lower = {-1, -1, -1, -1, -1}, .upper = {0.5, 0.5, 0.5, 0.5, 0.5}}},
      {"one_column_free", {.lambda1 = 0.5, .factors1 = {1, 1, 0, 1, 2}}},
      {"factors_on_both", {.lambda1 = 0.5, .lambda2 = 0.25, .factors1 = {1, 0, 1, 3, 1}, .factors2 = {0, 1, 1, 0, 2}}},
      {"nothing_in_use", {.lambda1 = 1024}}};
}

class CertifyNet : public ::testing::TestWithParam<Case> {
protected:
  static Rows rows(Index n = 24) {
    Rows made = random_rows(n, 5);
    made.weights.assign(static_cast<std::size_t>(n), 1.0);
    made.weights[2] = 2.5;
    made.weights[5] = 0;
    for (Index i = 0; i < n; ++i) made.offset.push_back(static_cast<double>(i % 3) - 1);
    return made;
  }
};

TEST_P(CertifyNet, TheExactAnswerIsProvedFromRowsOrSumsOrBoth) {
  Rows data = rows();
  const auto exact = testing::exact_elastic_net(data, GetParam().objective);
  ASSERT_TRUE(exact);
  const ElasticNetClaimed claim = claim_of(*exact, GetParam().objective);
  for (const Precision precision : {Precision::standard, Precision::extended}) {
    const Gram gram = gram_of(data, precision);
    const Certificate with = checked(claim, &gram, &data).certificate,
                      without = checked(claim, nullptr, &data).certificate;
    const Certificate merged = checked(claim, &gram, nullptr).certificate;
    for (const Certificate* c : {&with, &without, &merged}) {
      EXPECT_NEAR(c->objective, to_double(exact->objective), 1e-13 * c->null_objective);
      EXPECT_LT(gap_of(*c), 1e-13 * c->null_objective) << c->sentence();
      EXPECT_LE(to_double(exact_gap(data, claim, *exact)), gap_of(*c) + c->slack);
    }
    EXPECT_EQ(with.verdict, Verdict::proved) << with.sentence();
    EXPECT_EQ(without.verdict, Verdict::proved) << without.sentence();
    EXPECT_EQ(merged.verdict, Verdict::within_tolerance) << merged.sentence();
    EXPECT_THAT(merged.sentence(), HasSubstr("merged statistics"));
    EXPECT_EQ(with.passes, 1);
  }
}

TEST_P(CertifyNet, SumsOfColumnsThatAreThereAreNotGatheredAgain) {
  Rows data = rows();
  const auto exact = testing::exact_elastic_net(data, GetParam().objective);
  ASSERT_TRUE(exact);
  const ElasticNetClaimed claim = claim_of(*exact, GetParam().objective);
  Pool pool(2);
  const ColumnSums sums = *fresh_pass(data, ColumnSums(data.p, data.k), pool, {}, {});
  const Certificate own = checked(claim, nullptr, &data).certificate;
  const auto known = certify(claim, KnownOfRows(nullptr, &sums), &data, pool);
  ASSERT_TRUE(known) << known.error().text();
  EXPECT_EQ(known->certificate.sentence(), own.sentence());
  EXPECT_EQ(gap_of(known->certificate), gap_of(own));
  EXPECT_EQ(known->certificate.slack, own.slack);
  EXPECT_EQ(known->certificate.passes, own.passes - 1);
}

TEST_P(CertifyNet, ANumberThatIsOffIsBoundedByWhatItCosts) {
  Rows data = rows();
  const auto exact = testing::exact_elastic_net(data, GetParam().objective);
  ASSERT_TRUE(exact);
  for (const double change : {1e-2, 1e-4, 1e-6, 1e-9, 1e-12})
    for (std::size_t j = 0; j < 5; ++j) {
      ElasticNetClaimed claim = claim_of(*exact, GetParam().objective);
      const double to = claim.w[j] + change * (claim.w[j] == 0 ? 1 : claim.w[j]);
      if (to > claim.objective.most(static_cast<Index>(j)) || to < claim.objective.least(static_cast<Index>(j)))
        continue;
      claim.w[j] = to;
      claim.b[0] += change;
      if (!claim.objective.intercept) claim.b[0] = 0;
      const Gram gram = gram_of(data, Precision::extended);
      const Rational truth = exact_gap(data, claim, *exact);
      for (const Gram* sums : {&gram, static_cast<const Gram*>(nullptr)}) {
        const Certificate c = checked(claim, sums, &data).certificate;
        EXPECT_LE(truth, Rational(gap_of(c)) + Rational(c.slack)) << c.sentence();
        const bool met = truth <= Rational(claim.tolerance) * Rational(c.null_objective);
        if (c.verdict == Verdict::proved) {
          EXPECT_TRUE(met) << c.sentence();
        }
        if (!met && change >= 1e-4) {
          EXPECT_EQ(c.verdict, Verdict::refuted) << c.sentence();
        }
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Objectives, CertifyNet, ::testing::ValuesIn(cases()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(CertifyLasso, AnOrthonormalDesignIsSolvedBySoftThresholds) {
  // Columns of a Hadamard matrix of 4 rows: sum s x_j^2 = 1, products 0; w = S(<x_j, y>, lambda).
  Rows rows(4, 3, {1, 1, 1, -1, 1, -1, 1, -1, -1, -1, -1, 1}, {4, 1, -2, 3});
  const double c[] = {(4 - 1 - 2 - 3) / 4.0, (4 + 1 + 2 - 3) / 4.0, (4 - 1 + 2 + 3) / 4.0};
  ElasticNetClaimed claim;
  claim.objective.lambda1 = 0.75;
  for (const double x : c) claim.w.push_back(std::copysign(std::max(0.0, std::abs(x) - 0.75), x));
  claim.b = {1.5};
  EXPECT_EQ(claim.w, (std::vector{0.0, 0.25, 1.25}));
  const Certificate done = checked(claim, nullptr, &rows).certificate;
  EXPECT_EQ(done.verdict, Verdict::proved);
  EXPECT_LE(gap_of(done), 1e-28);
  EXPECT_TRUE(done.conditions.empty()) << done.sentence();
}

TEST(CertifyLasso, FromLambdaMaxOnAllCoefficientsAreZeroAndTheGapIsRounding) {
  Rows rows(4, 1, {1, 2, 3, 4}, {1, 2, 2, 7}); // sum s (x - 2.5) y = 9/4
  ElasticNetClaimed claim;
  claim.w = {0};
  claim.b = {3};
  for (const double lambda : {2.25, 2.5, 1e300}) {
    claim.objective.lambda1 = lambda;
    const Certificate c = checked(claim, nullptr, &rows).certificate;
    EXPECT_EQ(c.verdict, Verdict::proved) << c.sentence();
    EXPECT_LE(gap_of(c), lambda > 2.25 ? 0 : 1e-28);
    EXPECT_THAT(c.conditions, Contains(HasSubstr("all penalised coefficients are zero")));
  }
  claim.objective.lambda1 = 2.25 * (1 - 1e-4);
  EXPECT_EQ(checked(claim, nullptr, &rows).certificate.verdict, Verdict::refuted);
}

TEST(CertifyLasso, DuplicatesInUseAreNamedAndTheAnswerIsSaidToBeOneOfMany) {
  Rows rows = random_rows(20, 3);
  Rows doubled(20, 4, {}, rows.y);
  for (Index i = 0; i < 20; ++i)
    for (const Index j : {0, 1, 2, 0}) doubled.x.push_back(rows.x[i * 3 + j]);
  const ElasticNetObjective lasso{.lambda1 = 0.25};
  const auto exact = testing::exact_elastic_net(rows, lasso);
  ASSERT_TRUE(exact);
  ElasticNetClaimed claim = claim_of(*exact, lasso);
  claim.w = {claim.w[0] / 4, claim.w[1], claim.w[2], claim.w[0] * 3 / 4};
  for (const bool gathered : {false, true}) {
    const Gram gram = gram_of(doubled);
    const auto done = checked(claim, gathered ? &gram : nullptr, &doubled);
    EXPECT_EQ(done.certificate.verdict, Verdict::proved) << done.certificate.sentence();
    ASSERT_EQ(done.dependent.size(), 1u);
    EXPECT_EQ(done.dependent[0].column, 3);
    ASSERT_EQ(done.dependent[0].equals.size(), 1u);
    EXPECT_EQ(done.dependent[0].equals[0].first, 0);
    EXPECT_NEAR(done.dependent[0].equals[0].second, 1, 1e-12);
    EXPECT_THAT(done.certificate.conditions, Contains(HasSubstr("not unique")));
    claim.objective.lambda2 = 0.5; // another problem, whose answer is unique
    EXPECT_TRUE(checked(claim, gathered ? &gram : nullptr, &doubled).dependent.empty());
    claim.objective.lambda2 = 0;
  }
}

TEST(CertifyLasso, ColumnsWithoutAPenaltyMayBeCombinationsOfOthers) {
  // y on x = 1, 2, 3, 4: slope 17 / 10, intercept -1, rss 63 / 10. The second column is the first, or the first
  // rounded.
  const std::vector<double> y{1, 3, 2, 7};
  for (const double factor : {1.0, -3.0, 0.1}) {
    const bool rounded = factor == 0.1;
    Rows rows(4, 2, {}, y);
    for (const double x : {1.0, 2.0, 3.0, 4.0}) rows.x.push_back(x), rows.x.push_back(factor * x);
    ElasticNetClaimed claim{.w = {0.7, 1 / factor}, .b = {-1}};
    for (const bool gathered : {false, true}) {
      const Gram gram = gram_of(rows);
      const Certificate c = checked(claim, gathered ? &gram : nullptr, &rows).certificate;
      EXPECT_EQ(c.verdict, rounded ? Verdict::stopped_early : Verdict::proved) << c.sentence();
      EXPECT_NEAR(c.objective, 6.3 / 8, 1e-14);
      EXPECT_THAT(c.conditions, Contains(HasSubstr("not unique")));
      if (rounded) { // what the column that is left out could add, no bound says
        EXPECT_THAT(c.conditions, Contains(HasSubstr("to rounding only")));
        EXPECT_LT(std::get<KktResidual>(c.claim).residual, 1e-14);
      } else
        EXPECT_LT(gap_of(c), 1e-25);
      ElasticNetClaimed off = claim;
      off.w[0] += 1e-3;
      const Certificate wrong = checked(off, gathered ? &gram : nullptr, &rows).certificate;
      EXPECT_EQ(wrong.verdict, Verdict::refuted);
      if (!rounded) {
        EXPECT_GE(gap_of(wrong) + wrong.slack, 1.25e-6 / 2);
      }
    }
    claim.w = {0.7, (1 + 1e-12) / factor};
    claim.psi = 5; // not in use, and neither column has a weight
    claim.objective.factors1 = {0, 0};
    EXPECT_EQ(checked(claim, nullptr, &rows).certificate.verdict, rounded ? Verdict::stopped_early : Verdict::proved);
  }
}

TEST(CertifyLasso, AColumnWithoutAPenaltyMayBeTheCopyOfOneWithIt) {
  Rows rows(4, 2, {}, {1, 3, 2, 7}); // the free one does the work, whichever comes first
  for (const double x : {1.0, 2.0, 3.0, 4.0}) rows.x.push_back(x), rows.x.push_back(x);
  for (const bool first : {false, true}) {
    ElasticNetClaimed claim{.w = {first ? 1.7 : 0, first ? 0 : 1.7}, .b = {-1}};
    claim.objective.lambda1 = 0.5;
    claim.objective.factors1 = {first ? 0.0 : 1.0, first ? 1.0 : 0.0};
    const Certificate c = checked(claim, nullptr, &rows).certificate;
    EXPECT_EQ(c.verdict, Verdict::proved) << c.sentence();
    std::swap(claim.w[0], claim.w[1]);
    EXPECT_EQ(checked(claim, nullptr, &rows).certificate.verdict, Verdict::refuted);
  }
}

TEST(CertifyLasso, StandardisedIsTheLassoOfStandardisedColumns) {
  Rows rows = random_rows(16, 3), scaled = rows;
  for (Index i = 0; i < 16; ++i)
    for (Index j = 0; j < 3; ++j) { // columns of deviation 1, 4, 1/8: +-1 times a power of two
      const double sign = (i >> j) % 2 == 0 ? 1 : -1;
      rows.x[i * 3 + j] = sign;
      scaled.x[i * 3 + j] = sign * std::ldexp(1.0, j == 1 ? 2 : j == 2 ? -3 : 0) + 16;
    }
  const auto exact = testing::exact_elastic_net(rows, {.lambda1 = 0.25, .lambda2 = 0.5});
  ASSERT_TRUE(exact);
  ElasticNetClaimed claim = claim_of(*exact, {.lambda1 = 0.25, .lambda2 = 0.5, .standardise = true});
  claim.w[1] /= 4;
  claim.w[2] *= 8;
  claim.b[0] -= 16 * (claim.w[0] + claim.w[1] + claim.w[2]);
  const Certificate c = checked(claim, nullptr, &scaled).certificate;
  EXPECT_EQ(c.verdict, Verdict::proved) << c.sentence();
  EXPECT_NEAR(c.objective, to_double(exact->objective), 1e-13);
}

TEST(CertifyLasso, MoreColumnsThanRows) {
  Rows rows = random_rows(6, 12);
  const ElasticNetObjective lasso{.lambda1 = 0.125};
  const auto exact = testing::exact_elastic_net(rows, lasso, 200000);
  ASSERT_TRUE(exact);
  const Certificate c = checked(claim_of(*exact, lasso), nullptr, &rows).certificate;
  EXPECT_EQ(c.verdict, Verdict::proved) << c.sentence();
  EXPECT_LE(gap_of(c), 1e-12 * c.null_objective);
}

TEST(CertifyLasso, TargetsOfExtremeSizeAndConstantTargets) {
  for (const int power : {500, -480}) {
    Rows rows = random_rows(20, 4), scaled = rows;
    for (double& y : scaled.y) y = std::ldexp(y, power);
    const auto exact = testing::exact_elastic_net(rows, {.lambda1 = 0.25});
    ASSERT_TRUE(exact);
    ElasticNetClaimed claim = claim_of(*exact, {.lambda1 = std::ldexp(0.25, power)});
    for (double& w : claim.w) w = std::ldexp(w, power);
    claim.b[0] = std::ldexp(claim.b[0], power);
    const Certificate c = checked(claim, nullptr, &scaled).certificate;
    EXPECT_EQ(c.verdict, Verdict::proved) << c.sentence();
  }
  Rows flat = random_rows(20, 4);
  flat.y.assign(20, 0.1);
  ElasticNetClaimed claim;
  claim.objective.lambda1 = 0.5;
  claim.w.assign(4, 0.0);
  claim.b = {0.1};
  EXPECT_LE(checked(claim, nullptr, &flat).certificate.verdict, Verdict::within_tolerance);
}

TEST(CertifyLasso, CoefficientsOutsideTheirBoundsAreRefuted) {
  Rows rows = random_rows(20, 2);
  ElasticNetClaimed claim;
  claim.objective = {.lambda1 = 0.25, .lower = {0, 0}};
  claim.w = {0.5, -1e-300};
  claim.b = {0};
  const Certificate c = checked(claim, nullptr, &rows).certificate;
  EXPECT_EQ(c.verdict, Verdict::refuted);
  EXPECT_THAT(c.sentence(), HasSubstr("outside its bounds"));
}

TEST(CertifyBall, TheLassoOfAMultiplierSolvesTheConstrainedForm) {
  Rows rows = random_rows(24, 5);
  for (const double lambda2 : {0.0, 0.5}) {
    const ElasticNetObjective lasso{.lambda1 = 0.25, .lambda2 = lambda2};
    const auto exact = testing::exact_elastic_net(rows, lasso);
    ASSERT_TRUE(exact);
    ElasticNetClaimed claim = claim_of(*exact, {.lambda2 = lambda2});
    Rational length = 0;
    for (const Rational& w : exact->w) length += testing::magnitude(w);
    claim.psi = std::nextafter(to_double(length), 1e9) * (1 + 0x1p-48);
    for (const bool gathered : {false, true}) {
      const Gram gram = gram_of(rows);
      const auto done = checked(claim, gathered ? &gram : nullptr, &rows);
      EXPECT_EQ(done.certificate.verdict, Verdict::proved) << done.certificate.sentence();
      EXPECT_NEAR(done.multiplier[0], 0.25, 1e-13);
      ElasticNetClaimed wrong = claim;
      wrong.w[0] *= 0.99; // shorter than allowed, and worse
      EXPECT_EQ(checked(wrong, gathered ? &gram : nullptr, &rows).certificate.verdict, Verdict::refuted);
      wrong = claim;
      wrong.psi *= 0.999;
      EXPECT_EQ(checked(wrong, gathered ? &gram : nullptr, &rows).certificate.verdict, Verdict::refuted);
    }
  }
}

TEST(CertifyBall, AColumnWithoutAWeightMayBeHeldAtZeroByItsBound) {
  // Orthogonal columns: w_1 would be 2 and is 1 by psi, w_2 would be -1 and is 0 by its bound.
  Rows rows(4, 2, {1, 0, -1, 0, 0, 1, 0, -1}, {2, -2, -1, 1});
  ElasticNetClaimed claim{.psi = 1, .w = {1, 0}, .b = {0}};
  claim.objective.factors1 = {1, 0};
  claim.objective.lower = {0, 0};
  claim.objective.upper = {kInfinity, kInfinity};
  const auto done = checked(claim, nullptr, &rows);
  EXPECT_EQ(done.certificate.verdict, Verdict::proved) << done.certificate.sentence();
  EXPECT_EQ(done.certificate.objective, 0.5);
  EXPECT_NEAR(done.multiplier[0], 0.5, 1e-15);
  claim.w = {0.9, 0};
  const Certificate off = checked(claim, nullptr, &rows).certificate;
  EXPECT_EQ(off.verdict, Verdict::refuted);
  EXPECT_GE(gap_of(off) + off.slack, 0.5525 - 0.5 - 1e-15);
  claim.w = {1, 0.1};
  EXPECT_EQ(checked(claim, nullptr, &rows).certificate.verdict, Verdict::refuted);
}

TEST(CertifyBall, WhatIsMetExactlyNeedsNoOtherBound) {
  // A dual point must hold against all of psi, and rounding alone is more than the tolerance then; F* is not negative.
  Rows rows(2, 3, {1e6, 1e-6, 1, 1e-6, 1e6, 1}, {1, 2});
  ElasticNetClaimed claim{.psi = 1e9, .w = {1e-6 * (1 - 2e-12), 2e-6 * (1 - 0.5e-12), 0}, .b = {0}};
  claim.objective.intercept = false;
  const Certificate c = checked(claim, nullptr, &rows).certificate;
  EXPECT_EQ(c.verdict, Verdict::proved) << c.sentence();
  EXPECT_LE(gap_of(c), c.objective);
}

TEST(CertifyBall, ABoundThatIsNotInUseIsLeastSquares) {
  Rows rows = random_rows(24, 3);
  const auto exact = testing::exact_elastic_net(rows, {});
  ASSERT_TRUE(exact);
  ElasticNetClaimed claim = claim_of(*exact, {});
  claim.psi = 100;
  const Certificate c = checked(claim, nullptr, &rows).certificate;
  EXPECT_EQ(c.verdict, Verdict::proved) << c.sentence();
  EXPECT_THAT(c.conditions, Contains(HasSubstr("not in use")));
}

TEST(Conjugate, TheGapOfATermIsNeverNegativeAndZeroOnlyWhereWMaximises) {
  // Against a search over a fine grid of the interval.
  for (const double a : {0.0, 0.5})
    for (const double t : {0.0, 2.0})
      for (const double low : {-kInfinity, -1.0, 0.0})
        for (const double high : {kInfinity, 2.0, 0.0})
          for (double g = -3; g <= 3; g += 0.25)
            for (const double w : {-1.0, -0.25, 0.0, 0.5, 2.0}) {
              if (w < low || w > high) continue;
              const Term term{.a = a, .t = t, .low = low, .high = high};
              const double found = conjugate_gap(term, w, g).hi;
              const bool endless = t == 0 && ((g > a && high == kInfinity) || (-g > a && low == -kInfinity));
              if (endless) {
                EXPECT_EQ(found, kInfinity);
                continue;
              }
              double most = -kInfinity;
              for (double v = std::max(low, -8.0); v <= std::min(high, 8.0); v += 0x1p-6)
                most = std::max(most, g * v - term.value(v));
              EXPECT_NEAR(found, term.value(w) + most - g * w, 1e-3);
              EXPECT_GE(found, term.value(w) + most - g * w - 1e-12);
            }
}

} // namespace
} // namespace recta
