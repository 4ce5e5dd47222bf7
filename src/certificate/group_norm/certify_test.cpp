#include "certificate/group_norm/certify.hpp"
#include "certificate/group_norm/group_bound.hpp"
#include "certificate/test_exact_lasso.hpp"
#include "stats/pass.hpp"

#include <bit>
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
  for (Index i = 0; i < n; ++i) {
    rows.y.push_back(rows.x[i * p] - 2 * rows.x[i * p + (p > 1 ? 1 : 0)] + draw(seed) / 2 + 3);
    rows.weights.push_back(static_cast<double>(i % 3));
    rows.offset.push_back(static_cast<double>(i % 4) - 1);
  }
  return rows;
}

Gram gram_of(Rows& rows, Precision precision = Precision::extended) {
  Pool pool(1);
  return *fresh_pass(rows, Gram(rows.p, rows.k, precision), pool, {}, {});
}

GroupNormChecked checked(const GroupNormClaimed& claim, const Gram* gram, RowSource* rows) {
  Pool pool(2);
  auto done = certify(claim, gram, rows, pool);
  EXPECT_TRUE(done) << done.error().text();
  return *std::move(done);
}

double gap_of(const Certificate& c) {
  return std::get<DualityGap>(c.claim).gap;
}

GroupNormObjective of_one(Index p, double lambda1, double lambda2 = 0) {
  return {.lambda1 = lambda1,
          .lambda2 = lambda2,
          .groups = Groups::of_one(p),
          .factors = std::vector<double>(static_cast<std::size_t>(p), 1.0)};
}

// Groups of one column are the lasso, whose answer is known without a rounding.
TEST(CertifyGroups, TheExactAnswerIsProvedAndANumberThatIsOffIsBoundedByWhatItCosts) {
  for (const auto& [lambda1, lambda2, intercept] : {std::tuple{0.5, 0.0, true}, {0.25, 0.5, true}, {0.5, 0.0, false}}) {
    Rows rows = random_rows(24, 5);
    const ElasticNetObjective net{.lambda1 = lambda1, .lambda2 = lambda2, .intercept = intercept};
    const auto exact = testing::exact_elastic_net(rows, net);
    ASSERT_TRUE(exact);
    GroupNormClaimed claim;
    claim.objective = of_one(5, lambda1, lambda2);
    claim.objective.intercept = intercept;
    for (const Rational& w : exact->w) claim.w.push_back(to_double(w));
    claim.b = {to_double(exact->b)};
    const Gram gram = gram_of(rows);
    for (const Gram* sums : {&gram, static_cast<const Gram*>(nullptr)}) {
      const Certificate c = checked(claim, sums, &rows).certificate;
      EXPECT_EQ(c.verdict, Verdict::proved) << c.sentence();
      EXPECT_NEAR(c.objective, to_double(exact->objective), 1e-14 * c.null_objective);
      EXPECT_LT(gap_of(c) + c.slack, 1e-14 * c.null_objective);
    }
    for (const double off : {1e-12, 1e-9, 1e-6, 1e-3, 0.1}) {
      GroupNormClaimed wrong = claim;
      wrong.w[1] += off;
      const auto sums = testing::exact_sums(rows, net);
      const std::vector<Rational> w(wrong.w.begin(), wrong.w.end());
      Rational mean = intercept ? sums.mean.back() - Rational(wrong.b[0]) : Rational(0);
      for (std::size_t j = 0; intercept && j < w.size(); ++j) mean -= sums.mean[j] * w[j];
      const Rational truth = testing::net_objective(sums, net, w) + mean * mean / 2 - exact->objective;
      const Certificate c = checked(wrong, &gram, &rows).certificate;
      EXPECT_GE(Rational(gap_of(c)) + Rational(c.slack), truth) << off;
    }
  }
}

// Columns of a Hadamard matrix and a target whose products with one group are 3 and 4: the length 5 shrinks by lambda
// f.
TEST(CertifyGroups, AnOrthonormalDesignIsSolvedByShrinkingLengths) {
  Rows rows(8, 4, {}, {});
  const double c[] = {3, 4, 0.25, -0.25};
  for (Index i = 0; i < 8; ++i) {
    double y = 7;
    for (const Index bit : {0, 1, 2, 3}) {
      const Index masks[] = {1, 2, 4, 3};
      rows.x.push_back(std::popcount(static_cast<unsigned>(i & masks[bit])) % 2 ? -1 : 1);
      y += c[bit] * rows.x.back();
    }
    rows.y.push_back(y);
  }
  GroupNormClaimed claim;
  claim.objective.lambda1 = 0.5;
  claim.objective.groups.add(std::vector<Index>{0, 1});
  claim.objective.groups.add(std::vector<Index>{2, 3});
  claim.objective.factors = {2, 1};
  claim.w = {3 * 0.8, 4 * 0.8, 0, 0};
  claim.b = {7};
  const Certificate proof = checked(claim, nullptr, &rows).certificate;
  EXPECT_EQ(proof.verdict, Verdict::proved) << proof.sentence();
  EXPECT_NEAR(proof.objective, (1 * 1 + 2 * 0.0625) / 2 + 4, 1e-14); // 1 is left of 5; lambda f |w| = 4
  EXPECT_LT(gap_of(proof) + proof.slack, 1e-13);

  claim.w = {3 * 0.8, 4 * 0.8, 0.01, 0}; // the second group is below its bound
  EXPECT_EQ(checked(claim, nullptr, &rows).certificate.verdict, Verdict::refuted);
  claim.gave_up = true;
  EXPECT_EQ(checked(claim, nullptr, &rows).certificate.verdict, Verdict::stopped_early);
}

// Two targets that share the products of the test above: if joint, they are one group.
TEST(CertifyGroups, JointTargetsAreOneGroupAndOthersAreNot) {
  Rows rows(4, 1, {1, -1, 1, -1}, {}, 2);
  for (Index i = 0; i < 4; ++i)
    for (const double factor : {3, 4}) rows.y.push_back(factor * rows.x[i]);
  GroupNormClaimed claim;
  claim.objective = of_one(1, 1);
  claim.objective.joint = true;
  claim.w = {3 * 0.8, 4 * 0.8};
  claim.b = {0, 0};
  EXPECT_EQ(checked(claim, nullptr, &rows).certificate.verdict, Verdict::proved);
  claim.objective.joint = false;
  EXPECT_EQ(checked(claim, nullptr, &rows).certificate.verdict, Verdict::refuted);
  claim.w = {2, 3};
  EXPECT_EQ(checked(claim, nullptr, &rows).certificate.verdict, Verdict::proved);
}

TEST(CertifyGroups, FromLambdaMaxOnAllCoefficientsAreZeroAndTheGapIsNone) {
  Rows rows = random_rows(24, 5);
  GroupNormClaimed claim;
  claim.objective = of_one(5, 1e6);
  claim.w.assign(5, 0.0);
  const Gram gram = gram_of(rows);
  claim.b = {gram.mean[5]};
  const Certificate c = checked(claim, &gram, &rows).certificate;
  EXPECT_EQ(c.verdict, Verdict::proved) << c.sentence();
  EXPECT_LT(gap_of(c), 1e-30);
  EXPECT_THAT(c.conditions, Contains(HasSubstr("lambda is at least lambda_max")));
}

TEST(CertifyGroups, GroupsThatAreAlikeAreSaidAndColumnsOfOneGroupAreNot) {
  Rows rows = random_rows(24, 4);
  for (Index i = 0; i < 24; ++i) rows.x[i * 4 + 2] = rows.x[i * 4 + 1];
  const ElasticNetObjective net{.lambda1 = 0.5};
  Rows three(24, 3, {}, rows.y);
  three.weights = rows.weights, three.offset = rows.offset;
  for (Index i = 0; i < 24; ++i)
    for (const Index j : {0, 1, 3}) three.x.push_back(rows.x[i * 4 + j]);
  const auto exact = testing::exact_elastic_net(three, net);
  ASSERT_TRUE(exact);
  GroupNormClaimed claim;
  claim.objective = of_one(4, 0.5);
  claim.w = {to_double(exact->w[0]), to_double(exact->w[1]), 0, to_double(exact->w[2])};
  claim.b = {to_double(exact->b)};
  for (const bool with_sums : {true, false}) {
    const Gram gram = gram_of(rows);
    const Certificate c = checked(claim, with_sums ? &gram : nullptr, &rows).certificate;
    EXPECT_EQ(c.verdict, Verdict::proved) << c.sentence();
    EXPECT_THAT(c.conditions, Contains(HasSubstr("the coefficients are not unique: 1 group in use is a combination")));
  }
  // In one group with the factor 1 / sqrt(2) the two columns share the weight of one: w / 2 each has the length w /
  // sqrt(2).
  GroupNormClaimed shared = claim;
  shared.objective.groups = {};
  for (const auto& group : {std::vector<Index>{0}, {1, 2}, {3}}) shared.objective.groups.add(group);
  shared.objective.factors = {1, std::sqrt(2.0), 1};
  shared.w[1] = shared.w[2] = claim.w[1] / 2;
  const Certificate c = checked(shared, nullptr, &rows).certificate;
  EXPECT_EQ(c.verdict, Verdict::proved) << c.sentence();
  EXPECT_THAT(c.conditions, ::testing::IsEmpty());
}

TEST(CertifyGroups, WithoutRowsTheClaimSaysSo) {
  Rows rows = random_rows(24, 5);
  const auto exact = testing::exact_elastic_net(rows, {.lambda1 = 0.5});
  ASSERT_TRUE(exact);
  GroupNormClaimed claim;
  claim.objective = of_one(5, 0.5);
  for (const Rational& w : exact->w) claim.w.push_back(to_double(w));
  claim.b = {to_double(exact->b)};
  const Gram gram = gram_of(rows);
  const Certificate c = checked(claim, &gram, nullptr).certificate;
  EXPECT_EQ(c.verdict, Verdict::within_tolerance) << c.sentence();
  EXPECT_TRUE(std::get<DualityGap>(c.claim).from_merged_statistics);
}

TEST(CertifyGroups, NumbersThatAreNoneAreRefused) {
  Rows rows = random_rows(8, 2);
  GroupNormClaimed claim;
  claim.objective = of_one(2, 0.5);
  claim.w = {1, std::nan("")};
  claim.b = {0};
  Pool pool(1);
  EXPECT_EQ(certify(claim, nullptr, &rows, pool).error().code, ErrorCode::refuted);
  claim.w = {1};
  EXPECT_EQ(certify(claim, nullptr, &rows, pool).error().code, ErrorCode::bad_data);
}

// With a single group, the objective in its own coordinates is 1/2 |u - h|^2 + P(u), and its least value is known.
TEST(GroupBound, IsNeverBelowTheDistanceToTheLeastValue) {
  std::uint64_t seed = 3;
  for (int round = 0; round < 300; ++round) {
    GroupTerm term;
    term.a = std::abs(draw(seed)) + 0.125;
    term.t = round % 3 == 0 ? 0 : std::abs(draw(seed));
    std::vector<double> h;
    double size = 0, value = 0, mean_square = 0;
    for (int i = 0; i < 4; ++i) {
      h.push_back(draw(seed));
      size += h.back() * h.back();
    }
    size = std::sqrt(size);
    const double shrink = std::max(0.0, 1 - term.a / size) / (1 + term.t), near = round % 2 ? 1e-6 : 0.3;
    for (int i = 0; i < 4; ++i) {
      term.u.push_back(shrink * h[i] + near * draw(seed));
      term.g.push_back(h[i] - term.u[i]);
      mean_square += term.g[i] * term.g[i];
    }
    value = mean_square / 2 + term.value();
    const double length = shrink * size;
    const double least = (size - length) * (size - length) / 2 + term.a * length + term.t * length * length / 2;
    const GroupBound bound = bound_by_residual({term}, mean_square, 0);
    EXPECT_GE(bound.gap + bound.slack, value - least - 1e-12);
    if (shrink == 0 || near < 1e-3) {
      EXPECT_LT(bound.gap, value + 1e-12);
    }
  }
}

} // namespace
} // namespace recta
