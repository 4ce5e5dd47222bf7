#include "certificate/loss/wide.hpp"
#include "design/view_source.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

// Four rows at x = 1 and four at -1, three of each on their own side: without a penalty w = log 3. With one the
// optimum is the root of a slope, found by bisection.
struct Problem {
  std::vector<double> x{1, 1, 1, 1, -1, -1, -1, -1}, y{1, 1, 1, -1, -1, -1, -1, 1};
  DenseSource rows() const {
    Outcome outcome;
    outcome.target = MatrixView::vector(y.data(), 8);
    return {MatrixView::row_major(x.data(), 8, 1), outcome};
  }
  static double value(double w, double l1, double l2) {
    return 0.75 * std::log1p(std::exp(-w)) + 0.25 * std::log1p(std::exp(w)) + l1 * std::abs(w) + l2 / 2 * w * w;
  }
  static double best(double l1, double l2) {
    double low = 0, high = 2;
    for (int k = 0; k < 100; ++k) {
      const double w = (low + high) / 2, slope = -0.75 / (1 + std::exp(w)) + 0.25 / (1 + std::exp(-w)) + l1 + l2 * w;
      (slope > 0 ? high : low) = w;
    }
    return low;
  }
};

Certificate certified(double l1, double l2, double w, double b) {
  const Problem problem;
  auto rows = problem.rows();
  Pool pool(1);
  const LossObjective objective{.loss = "logistic", .lambda1 = l1, .lambda2 = l2};
  auto facts = loss_facts(rows, pool, {}, {});
  EXPECT_TRUE(add_null(objective, rows, pool, {}, *facts));
  const LossClaimed claimed{
      .objective = objective, .facts = &*facts, .w = {w}, .b = b, .tolerance = 1e-10, .without_gram = true};
  return certify(claimed, nullptr, &rows, pool)->certificate;
}

TEST(WideLossCertificate, IsNeverBelowTheTrueDistanceAndNearIt) {
  for (const auto& [l1, l2] : {std::pair{0.0, 0.1}, {0.05, 0.1}, {0.05, 0.0}}) {
    const double best = Problem::best(l1, l2), least = Problem::value(best, l1, l2);
    const Certificate good = certified(l1, l2, best, 0);
    EXPECT_EQ(good.verdict, Verdict::proved) << good.sentence();
    EXPECT_NEAR(good.objective, least, 1e-15);
    for (const double off : {-0.2, -1e-3, 1e-3, 0.2}) {
      const Certificate found = certified(l1, l2, best + off, 0);
      const double true_gap = Problem::value(best + off, l1, l2) - least;
      const auto& claim = std::get<DualityGap>(found.claim);
      EXPECT_EQ(found.verdict, Verdict::refuted);
      EXPECT_GE(claim.gap + found.slack, true_gap * (1 - 1e-9));
      // With squares the gap is quadratic in the error of the answer.
      EXPECT_LE(claim.gap, l2 > 0 ? 4 * true_gap : 3 * std::abs(off));
    }
  }
}

TEST(WideLossCertificate, SeesAnInterceptThatIsOff) {
  const double best = Problem::best(0, 0.1);
  const Certificate found = certified(0, 0.1, best, 1e-3);
  EXPECT_EQ(found.verdict, Verdict::refuted);
  const double s = 1 / (1 + std::exp(best)), curvature = s * (1 - s);
  EXPECT_NEAR(std::get<DualityGap>(found.claim).gap, curvature * 1e-6 / 2, 1e-9);
}

// The slope of a constant column that is none to the last digit is not the intercept's.
TEST(WideLossCertificate, SaysThatAColumnIsConstantToRoundingOnly) {
  std::vector<double> x(200, 1e8), y(200);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = i % 3 == 0 ? 1 : -1;
  for (const bool exact : {true, false}) {
    if (!exact) x[17] = std::nextafter(1e8, 2e8);
    Outcome outcome;
    outcome.target = MatrixView::vector(y.data(), 200);
    DenseSource rows(MatrixView::row_major(x.data(), 200, 1), outcome);
    Pool pool(1);
    const LossObjective objective{.loss = "logistic", .lambda2 = 0.1, .standardise = true};
    auto facts = loss_facts(rows, pool, {}, {});
    ASSERT_TRUE(add_null(objective, rows, pool, {}, *facts));
    if (facts->sums.deviation(0) > 0) continue; // told apart
    const LossClaimed claimed{
        .objective = objective, .facts = &*facts, .w = {0}, .b = facts->null_intercept, .without_gram = true};
    const Certificate found = certify(claimed, nullptr, &rows, pool)->certificate;
    EXPECT_EQ(found.verdict, exact ? Verdict::proved : Verdict::stopped_early);
    EXPECT_EQ(std::holds_alternative<DualityGap>(found.claim), exact) << found.sentence();
  }
}

} // namespace
} // namespace recta
