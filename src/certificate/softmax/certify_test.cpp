#include "certificate/softmax/certify.hpp"
#include "certificate/test_rows.hpp"

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
