#include "certificate/least_squares/certify.hpp"
#include "evaluate/inference/inference.hpp"
#include "evaluate/inference/tails.hpp"
#include "objective/test_exact.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace recta {
namespace {

using testing::Rows;

LinearSummary summary_of(Rows& rows, const LeastSquaresObjective& objective = {},
                         WeightMeaning meaning = WeightMeaning::precision) {
  Pool pool(2);
  LeastSquaresProblem problem;
  problem.objective = objective;
  const auto solution = solve(problem, rows, pool);
  EXPECT_TRUE(solution) << solution.error().text();
  Claimed claim;
  claim.objective = objective;
  claim.w = solution->w;
  claim.b = solution->b;
  const auto checked = certify(claim, solution->gram ? &*solution->gram : nullptr, &rows, pool);
  EXPECT_TRUE(checked) << checked.error().text();
  InferenceOptions options;
  for (Index j = 0; j < rows.p; ++j) options.features.push_back("x" + std::to_string(j + 1));
  for (Index t = 0; t < rows.k; ++t) options.targets.push_back("y" + std::to_string(t + 1));
  options.weights_are = meaning;
  options.weighted = !rows.weights.empty();
  return summarise(objective, *solution, checked->residual, options);
}

// y = 1/2 + 7/5 x leaves residuals 1/10, -3/10, 3/10, -1/10.
Rows four_points() {
  return Rows(4, 1, {1, 2, 3, 4}, {2, 3, 5, 6});
}

TEST(Inference, FourPointsCanBeDoneOnPaper) {
  Rows rows = four_points();
  const LinearSummary s = summary_of(rows);
  const TargetFit& fit = s.targets[0];
  EXPECT_EQ(s.degrees_of_freedom, 2);
  EXPECT_NEAR(fit.rss, 0.2, 1e-15);
  EXPECT_NEAR(fit.mse, 0.05, 1e-15);
  EXPECT_NEAR(fit.r2, 0.98, 1e-15);
  EXPECT_NEAR(fit.adjusted_r2, 0.97, 1e-14);
  EXPECT_NEAR(fit.sigma, std::sqrt(0.1), 1e-15);
  EXPECT_NEAR(fit.coefficients[0].standard_error, std::sqrt(0.1 / 5), 1e-15);
  EXPECT_NEAR(fit.intercept.standard_error, std::sqrt(0.1 * (0.25 + 6.25 / 5)), 1e-15);
  EXPECT_NEAR(fit.coefficients[0].t, 1.4 / std::sqrt(0.02), 1e-12);
  // With two degrees of freedom P(|T| > t) = 1 - t / sqrt(t^2 + 2).
  const double t = fit.coefficients[0].t;
  EXPECT_NEAR(fit.coefficients[0].p_value, 1 - t / std::sqrt(t * t + 2), 1e-14);
  const double q = 4.302652729749464; // of Student's t with 2 degrees of freedom at 0.975
  EXPECT_NEAR(fit.coefficients[0].lower, 1.4 - q * std::sqrt(0.02), 1e-12);
  EXPECT_NEAR(fit.coefficients[0].upper, 1.4 + q * std::sqrt(0.02), 1e-12);
  EXPECT_NEAR(fit.f, 98, 1e-10);
  EXPECT_NEAR(fit.f_p_value, fit.coefficients[0].p_value, 1e-14); // F(1, f) is t squared
  EXPECT_NEAR(fit.log_likelihood, -2 * (std::log(2 * std::numbers::pi * 0.05) + 1), 1e-13);
  EXPECT_NEAR(fit.coefficients[0].standardised, 1.4 * std::sqrt(1.25), 1e-15);
  EXPECT_NEAR(fit.intercept.standardised, 4, 1e-15); // the mean of y
}

TEST(Inference, PrecisionsStateTheVariancesOfTheLikelihood) {
  Rows rows = four_points();
  rows.weights = {1, 4, 2, 0.5};
  const TargetFit fit = summary_of(rows).targets[0];
  double expected = 0, rss = 0;
  for (Index i = 0; i < 4; ++i) {
    const double r = rows.y[i] - fit.intercept.value - fit.coefficients[0].value * rows.x[i], v = rows.weights[i];
    expected -= 0.5 * (std::log(2 * std::numbers::pi / v) + v * r * r);
    rss += v * r * r;
  }
  EXPECT_NEAR(fit.rss, rss, 1e-14);
  EXPECT_NEAR(fit.mse, rss / 7.5, 1e-14);
  EXPECT_NEAR(fit.log_likelihood, expected, 1e-13);
}

TEST(Inference, FrequenciesAreRowsWrittenSeveralTimes) {
  Rows counted = four_points(), written(0, 1, {}, {});
  counted.weights = {2, 1, 0, 3};
  for (Index i = 0; i < 4; ++i)
    for (int copy = 0; copy < counted.weights[i]; ++copy, ++written.n) {
      written.x.push_back(counted.x[i]);
      written.y.push_back(counted.y[i]);
    }
  const LinearSummary a = summary_of(counted, {}, WeightMeaning::frequency), b = summary_of(written);
  EXPECT_EQ(a.degrees_of_freedom, b.degrees_of_freedom);
  EXPECT_NEAR(a.targets[0].log_likelihood, b.targets[0].log_likelihood, 1e-13);
  EXPECT_NEAR(a.targets[0].sigma, b.targets[0].sigma, 1e-14);
  EXPECT_NEAR(a.targets[0].coefficients[0].standard_error, b.targets[0].coefficients[0].standard_error, 1e-14);
  EXPECT_NEAR(a.targets[0].intercept.p_value, b.targets[0].intercept.p_value, 1e-14);
}

TEST(Inference, AsPrecisionsTheSameWeightsCountRows) {
  Rows rows = four_points();
  rows.weights = {2, 1, 0, 3};
  EXPECT_EQ(summary_of(rows).degrees_of_freedom, 1); // three rows are there
}

TEST(Inference, DoublingEveryPrecisionLeavesStandardErrorsAlone) {
  Rows rows = four_points();
  rows.weights = {1, 4, 2, 0.5};
  const TargetFit a = summary_of(rows).targets[0];
  for (double& v : rows.weights) v *= 2;
  rows.next = 0;
  const TargetFit b = summary_of(rows).targets[0];
  EXPECT_NEAR(a.coefficients[0].standard_error, b.coefficients[0].standard_error, 1e-15);
}

TEST(Inference, APenalisedCoefficientHasNoStandardError) {
  Rows rows = four_points();
  LeastSquaresObjective ridge;
  ridge.lambda2 = 1.25; // as large as the variance of x: half of the slope is kept
  const LinearSummary s = summary_of(rows, ridge);
  EXPECT_NEAR(s.targets[0].coefficients[0].value, 0.7, 1e-15);
  EXPECT_TRUE(std::isnan(s.targets[0].coefficients[0].standard_error));
  EXPECT_TRUE(std::isnan(s.targets[0].coefficients[0].p_value));
  EXPECT_TRUE(std::isnan(s.targets[0].f));
  ASSERT_EQ(s.singular.size(), 1u);
  EXPECT_NEAR(s.singular[0].shrinkage, 0.5, 1e-15);
  EXPECT_NEAR(s.degrees_of_freedom, 4 - 1 - 0.5, 1e-14);
}

TEST(Inference, AliasedColumnsAreNamedAndHaveNoStandardError) {
  Rows rows(5, 3, {1, 2, 9, 2, 4, 9, 3, 6, 9, 4, 8, 9, 6, 12, 9}, {1, 2, 4, 3, 7});
  const LinearSummary s = summary_of(rows);
  EXPECT_EQ(s.rank, 1);
  ASSERT_EQ(s.aliased.size(), 2u);
  EXPECT_EQ(s.aliased[0].feature, "x2");
  ASSERT_EQ(s.aliased[0].equals.size(), 1u);
  EXPECT_EQ(s.aliased[0].equals[0].first, "x1");
  EXPECT_NEAR(s.aliased[0].equals[0].second, 2, 1e-14);
  EXPECT_EQ(s.aliased[1].feature, "x3"); // does not vary: equals nothing but the intercept
  for (const Coefficient& c : s.targets[0].coefficients) EXPECT_TRUE(std::isnan(c.standard_error)) << c.feature;
  EXPECT_FALSE(std::isnan(s.targets[0].intercept.standard_error));
  EXPECT_EQ(s.degrees_of_freedom, 3);
}

TEST(Inference, AConstantTargetHasNothingToExplainAndNothingToTest) {
  for (const double y : {2.0, 0.1, -1e100, 0.0}) {
    Rows rows(5, 1, {1, 2, 3.5, 4, 7}, {y, y, y, y, y});
    rows.weights = {0.1, 0.7, 0.3, 1, 0.9};
    const TargetFit fit = summary_of(rows).targets[0];
    for (const double none : {fit.r2, fit.adjusted_r2, fit.f, fit.f_p_value, fit.log_likelihood, fit.intercept.t,
                              fit.intercept.standard_error, fit.coefficients[0].t, fit.coefficients[0].p_value})
      EXPECT_TRUE(std::isnan(none)) << y;
    EXPECT_NEAR(fit.intercept.value, y, 1e-15 * std::abs(y));
  }
}

TEST(Inference, ATargetThatVariesInItsLastBitIsNotConstant) {
  Rows rows(4, 1, {1, 2, 3, 5}, {1, 1, 1, std::nextafter(1.0, 2)});
  EXPECT_NEAR(summary_of(rows).targets[0].r2, 27.0 / 35, 0.02); // as near as an intercept rounded to double lets it
}

TEST(Inference, AsManyRowsAsCoefficientsLeaveNothingToEstimateSigmaFrom) {
  Rows rows(2, 1, {1, 2}, {3, 5});
  const TargetFit fit = summary_of(rows).targets[0];
  EXPECT_EQ(fit.coefficients[0].value, 2);
  EXPECT_TRUE(std::isnan(fit.sigma));
  EXPECT_TRUE(std::isnan(fit.coefficients[0].standard_error));
  EXPECT_EQ(fit.r2, 1);
}

TEST(Tails, FarOutTheyAreSmallButNotZero) {
  EXPECT_GT(student_two_sided(1e6, 30), 0);
  EXPECT_LT(student_two_sided(1e6, 30), 1e-140);
  EXPECT_GT(fisher_upper(1e9, 3, 40), 0);
  EXPECT_EQ(student_two_sided(0, 5), 1);
  EXPECT_NEAR(student_two_sided(1, 1), 0.5, 1e-15); // Cauchy
  EXPECT_TRUE(std::isnan(student_two_sided(1, 0)));
  EXPECT_TRUE(std::isnan(fisher_upper(std::nan(""), 1, 1)));
}

} // namespace
} // namespace recta
