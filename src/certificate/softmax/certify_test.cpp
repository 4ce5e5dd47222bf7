#include "certificate/softmax/certify.hpp"
#include "objective/test_rows.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace recta {
namespace {

// Two columns, three classes; every combination of signs and classes, so that the best weights are zero.
testing::Rows balanced() {
  std::vector<double> x, y;
  for (const double a : {-1.0, 1.0})
    for (const double b : {-2.0, 2.0})
      for (const double k : {0.0, 1.0, 2.0}) {
        x.insert(x.end(), {a, b});
        y.push_back(k);
      }
  return {12, 2, std::move(x), std::move(y)};
}

SoftmaxClaimed claimed(std::vector<double> w, std::vector<double> b, double lambda1, double lambda2) {
  SoftmaxClaimed out{.classes = static_cast<Index>(b.size())};
  out.unit.assign(w.size() / b.size(), 1.0);
  out.centre.assign(w.size() / b.size(), 0.0);
  out.w = std::move(w);
  out.b = std::move(b);
  out.lambda1 = lambda1;
  out.lambda2 = lambda2;
  out.null_objective = std::log(static_cast<double>(out.classes));
  return out;
}

SoftmaxChecked checked(const SoftmaxClaimed& claim, testing::Rows& rows) {
  Pool pool(2);
  auto found = certify(claim, nullptr, &rows, pool);
  EXPECT_TRUE(found) << found.error().what;
  return *std::move(found);
}

TEST(CertifySoftmax, ZeroIsProvedWhereNothingIsToBeLearnt) {
  testing::Rows rows = balanced();
  for (const auto& [lambda1, lambda2] : {std::pair{0.1, 0.0}, std::pair{0.0, 0.1}, std::pair{0.1, 0.1}}) {
    const SoftmaxChecked found =
        checked(claimed(std::vector<double>(6), std::vector<double>(3), lambda1, lambda2), rows);
    EXPECT_EQ(found.certificate.verdict, Verdict::proved);
    EXPECT_NEAR(found.certificate.objective, std::log(3.0), 1e-15);
    EXPECT_LT(std::get<DualityGap>(found.certificate.claim).gap, 1e-15);
  }
}

// Scores 40, 20 and -40 of the outer rows, 0, 20 and 0 of the one between them, all without rounding: the losses are
// log1p of sums near e^-20, some 1e-9, and log sum exp less the own score would have seven of their digits.
TEST(CertifySoftmax, TheObjectiveHasItsDigitsHoweverSmallTheLossesAre) {
  testing::Rows rows(3, 1, {-1, 0, 1}, {0, 1, 2});
  constexpr double kLambda = 1e-12;
  const SoftmaxChecked found = checked(claimed({-40, 0, 40}, {0, 20, 0}, 0, kLambda), rows);
  const double outer = std::log1p(std::exp(-20.0) + std::exp(-80.0)), between = std::log1p(2 * std::exp(-20.0));
  const double exact = (2 * outer + between) / 3 + kLambda / 2 * 3200;
  EXPECT_NEAR(found.certificate.objective, exact, 1e-14 * exact);
}

// Here F* is log 3, and so F - F* is known: no claim may say less, and one that asks for less is refuted.
TEST(CertifySoftmax, TheGapIsNeverLessThanWhatIsMissing) {
  testing::Rows rows = balanced();
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 200; ++round) {
    const double size = std::pow(10.0, -round % 9);
    std::vector<double> w, b;
    for (int s = 0; s < 6; ++s) w.push_back(round % 2 == 0 || s % 2 == 0 ? size * normal(random) : 0);
    for (int k = 0; k < 3; ++k) b.push_back(round % 5 == 0 ? 0 : size * normal(random));
    const double lambda1 = round % 3 == 0 ? 0 : 0.1, lambda2 = round % 3 == 1 ? 0 : 0.1;
    const SoftmaxChecked found = checked(claimed(w, b, lambda1, lambda2), rows);
    const double missing = found.certificate.objective - std::log(3.0);
    const double told = std::get<DualityGap>(found.certificate.claim).gap + found.certificate.slack;
    EXPECT_GE(told, missing - 1e-15) << round;
    EXPECT_EQ(found.certificate.verdict == Verdict::proved, told <= 1e-10 * std::log(3.0)) << round;
    EXPECT_EQ(found.certificate.verdict == Verdict::refuted, told > 1e-10 * std::log(3.0)) << round;
  }
}

// Two classes that nothing tells apart, and a third far away. Along (t, 0), -25 t for the third F falls to 12/16 log 2
// as the penalty goes to zero; at t = 1.5 it is within 1e-15 of that.
TEST(CertifySoftmax, OfAClassFarAwayTheGapIsNeverLessThanWhatIsMissingEither) {
  testing::Rows rows = balanced();
  rows.y[2] = rows.y[11] = 0; // as many of either at each value of a column
  rows.y[5] = rows.y[8] = 1;
  for (const double a : {50.0, 50.0, 51.0, 52.0}) {
    rows.x.insert(rows.x.end(), {a, 0});
    rows.y.push_back(2);
    ++rows.n;
  }
  const std::vector<double> best{0, 0, 0, 0, 1.5, 0}, constant{0, 0, -37.5};
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  Index proofs = 0;
  for (int round = 0; round < 200; ++round) {
    const double size = round == 0 ? 0 : std::pow(10.0, -round % 12);
    const double lambda2 = std::pow(10.0, -14 - round % 5);
    std::vector<double> w = best, b = constant;
    for (double& each : w) each += size * normal(random);
    for (double& each : b) each += size * normal(random);
    const SoftmaxChecked found = checked(claimed(w, b, 0, lambda2), rows);
    const double there = checked(claimed(best, constant, 0, lambda2), rows).certificate.objective;
    const double told = std::get<DualityGap>(found.certificate.claim).gap + found.certificate.slack;
    EXPECT_GE(told, found.certificate.objective - there - 1e-15) << round;
    EXPECT_EQ(found.certificate.verdict == Verdict::proved, told <= 1e-10 * std::log(3.0)) << round;
    proofs += found.certificate.verdict == Verdict::proved ? 1 : 0;
  }
  EXPECT_GT(proofs, 20);
}

// The balanced rows without a penalty, and with weights so large that no row is in doubt.
TEST(CertifySoftmax, NothingFarFromTheOptimumIsProved) {
  testing::Rows rows = balanced();
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  Index proved = 0;
  for (int round = 0; round < 400; ++round) {
    const double size = std::pow(10.0, round % 20 - 12), lambda1 = round % 4 == 1 ? 1e-3 : 0,
                 lambda2 = round % 4 == 2 ? 1e-3 : 0;
    std::vector<double> w, b;
    for (int s = 0; s < 6; ++s) w.push_back(round % 3 == 0 && s % 2 == 0 ? 0 : size * normal(random));
    for (int k = 0; k < 3; ++k) b.push_back(round % 5 == 0 ? 0 : size * normal(random));
    SoftmaxClaimed claim = claimed(w, b, lambda1, lambda2);
    claim.intercept = round % 7 != 0;
    if (!claim.intercept) claim.b.assign(3, 0.0);
    const SoftmaxChecked found = checked(claim, rows);
    const double missing = found.certificate.objective - std::log(3.0);
    if (found.certificate.verdict != Verdict::proved) continue;
    ++proved;
    EXPECT_LE(missing, 1e-10 * std::log(3.0)) << round;
  }
  EXPECT_GT(proved, 60);
}

// Without a penalty: counts of three classes at two values of x, whose shares are the probabilities of the maximum.
TEST(CertifySoftmax, SharesOfATableAreProvedWithoutAPenalty) {
  const double counts[2][3] = {{5, 2, 3}, {1, 4, 5}};
  std::vector<double> x, y;
  for (int row = 0; row < 2; ++row)
    for (int k = 0; k < 3; ++k)
      for (int c = 0; c < counts[row][k]; ++c) x.push_back(1e3 * row), y.push_back(k);
  const Index n = std::ssize(y);
  testing::Rows rows(n, 1, std::move(x), std::move(y));
  std::vector<double> w, b;
  double objective = 0;
  for (int k = 0; k < 3; ++k) {
    b.push_back(std::log(counts[0][k] / 10));
    w.push_back((std::log(counts[1][k] / 10) - b[k]) / 1e3);
    for (const auto& row : counts) objective -= row[k] * std::log(row[k] / 10) / 20;
  }
  const SoftmaxChecked found = checked(claimed(w, b, 0, 0), rows);
  EXPECT_EQ(found.certificate.verdict, Verdict::proved);
  EXPECT_NEAR(found.certificate.objective, objective, 1e-15);
  w[1] *= 1 + 1e-4;
  const SoftmaxChecked off = checked(claimed(w, b, 0, 0), rows);
  EXPECT_EQ(off.certificate.verdict, Verdict::refuted);
  EXPECT_GE(std::get<DualityGap>(off.certificate.claim).gap + off.certificate.slack,
            off.certificate.objective - objective);
}

// The shares of a table once more, beside a second column that is 3 x + 2: its products vanish with those of x. One bit
// in one row, and it may lower the objective.
TEST(CertifySoftmax, AColumnThatIsACombinationInEveryRowLeavesTheProofWhole) {
  const double counts[2][3] = {{5, 2, 3}, {1, 4, 5}};
  std::vector<double> x, y, w, b;
  for (int row = 0; row < 2; ++row)
    for (int k = 0; k < 3; ++k)
      for (int c = 0; c < counts[row][k]; ++c) x.insert(x.end(), {1.0 * row, 3.0 * row + 2}), y.push_back(k);
  double objective = 0;
  for (int k = 0; k < 3; ++k) {
    b.push_back(std::log(counts[0][k] / 10));
    w.insert(w.end(), {std::log(counts[1][k] / 10) - b[k], 0});
    for (const auto& row : counts) objective -= row[k] * std::log(row[k] / 10) / 20;
  }
  testing::Rows rows(std::ssize(y), 2, x, y);
  const SoftmaxChecked found = checked(claimed(w, b, 0, 0), rows);
  EXPECT_EQ(found.certificate.verdict, Verdict::proved) << found.certificate.sentence();
  EXPECT_NEAR(found.certificate.objective, objective, 1e-15);
  EXPECT_EQ(found.certificate.conditions,
            std::vector<std::string>{
                "1 column is a combination of others, exactly and in every row: column 2 = 3 column 1 + 2"});
  rows.x[7] = std::nextafter(rows.x[7], 0);
  const SoftmaxChecked nearly = checked(claimed(w, b, 0, 0), rows);
  EXPECT_EQ(nearly.certificate.verdict, Verdict::stopped_early) << nearly.certificate.sentence();
  w[0] *= 1 + 1e-4;
  rows.x[7] = x[7];
  EXPECT_EQ(checked(claimed(w, b, 0, 0), rows).certificate.verdict, Verdict::refuted);
}

// A column that differs by a bit in one row has no length in doubles, and could tell that row from all others.
TEST(CertifySoftmax, AColumnThatIsConstantToRoundingOnlyIsNoProof) {
  testing::Rows rows = balanced();
  for (Index i = 0; i < rows.n; ++i) rows.x[2 * i + 1] = 1;
  for (const double lambda2 : {0.0, 0.1}) {
    SoftmaxClaimed claim = claimed(std::vector<double>(6), std::vector<double>(3), 0, lambda2);
    claim.unit[1] = 0;
    EXPECT_EQ(checked(claim, rows).certificate.verdict, Verdict::proved);
    testing::Rows off = rows;
    off.x[7] = std::nextafter(1.0, 2.0);
    const SoftmaxChecked found = checked(claim, off);
    EXPECT_EQ(found.certificate.verdict, Verdict::stopped_early);
    EXPECT_FALSE(std::holds_alternative<DualityGap>(found.certificate.claim)) << found.certificate.sentence();
    EXPECT_EQ(found.certificate.conditions.back(), "some columns are constant to rounding and left out");
  }
}

// More weights than are moved at once: the gap is told, and no proof claimed.
TEST(CertifySoftmax, TooManyWeightsWithoutAPenaltyAreNotProved) {
  const testing::Rows few = balanced();
  const Index p = 1001;
  std::vector<double> x;
  for (Index i = 0; i < few.n; ++i)
    for (Index j = 0; j < p; ++j) x.push_back(few.x[i * 2 + j % 2]);
  testing::Rows rows(few.n, p, std::move(x), few.y);
  const SoftmaxChecked found = checked(claimed(std::vector<double>(3 * p), std::vector<double>(3), 0, 0), rows);
  EXPECT_EQ(found.certificate.verdict, Verdict::within_tolerance);
  EXPECT_EQ(found.certificate.conditions.size(), 1u);
}

// Columns in units far apart: the weights in use are moved to where they meet their conditions exactly.
TEST(CertifySoftmax, AColumnInLargeUnitsUnderAbsoluteValuesIsProved) {
  testing::Rows rows(2, 1, {3e7, -3e7}, {1, -1});
  const double lambda1 = 1e-3, x = 3e7, t = std::log(x / lambda1 - 1) / (2 * x);
  const SoftmaxChecked found = checked(claimed({-t, t}, {0, 0}, lambda1, 0), rows);
  EXPECT_EQ(found.certificate.verdict, Verdict::proved);
}

// Over (x, y) = (1, 0), (-1, 1) the weights are (t, -t), and sigmoid(-2 t) = lambda1 at the best t (both sides of a
// weight that is not zero).
TEST(CertifySoftmax, OfTwoRowsUnderAbsoluteValuesIsKnown) {
  testing::Rows rows(2, 1, {1, -1}, {1, -1});
  const double lambda1 = 0.2, t = std::log((1 - lambda1) / lambda1) / 2;
  const SoftmaxChecked found = checked(claimed({-t, t}, {0, 0}, lambda1, 0), rows);
  EXPECT_EQ(found.certificate.verdict, Verdict::proved);
  EXPECT_NEAR(found.certificate.objective, -std::log(1 - lambda1) + 2 * lambda1 * t, 1e-15);
  EXPECT_EQ(checked(claimed({-t, t * (1 + 1e-3)}, {0, 0}, lambda1, 0), rows).certificate.verdict, Verdict::refuted);
}

} // namespace
} // namespace recta
