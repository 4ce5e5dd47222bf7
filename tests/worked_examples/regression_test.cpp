// R1 to R3 and R8: the line, least squares as a projection, weighted likelihood, ridge. Each by numbers done on paper.
#include "worked.hpp"

#include <numbers>

namespace recta {

// Means 5/2 and 4, Sxy = 7, Sxx = 5: slope 7/5, intercept 4 - 7/2. Residuals .1, -.3, .3, -.1.
TEST(R1, TheLineHasItsClosedForm) {
  const Model model = proved("linear", table("x,y\n1,2\n2,3\n3,5\n4,6\n"), {.target = {"y"}});
  expect_exactly(coefficient(model, "x"), 1.4);
  expect_exactly(intercept(model), 0.5);
  const TargetFit& fit = model.linear()->targets[0];
  expect_exactly(fit.rss, 0.2);
  expect_exactly(fit.mse, 0.05);
  expect_exactly(fit.r2, 1 - 0.2 / 10);
  expect_exactly(fit.log_likelihood, -2 * (std::log(2 * std::numbers::pi * 0.05) + 1));
  expect_exactly(fit.coefficients[0].standard_error, std::sqrt(0.1 / 5)); // sigma^2 = rss / 2
}

// Columns (1, 1, 1) and (0, 1, 2), y = (6, 0, 0): P y = (5, 2, -1), and y - P y = (1, -2, 1) is orthogonal to both.
TEST(R2, FittedValuesAreTheProjectionAndResidualsAreOrthogonalToEveryColumn) {
  const Dataset data = table("x,y\n0,6\n1,0\n2,0\n");
  for (const std::string solver : {"gram", "qr", "svd"}) {
    const Model model = proved("linear", data, {.target = {"y"}, .params = {{"solver", solver}}});
    const auto z = model.predict(data).value();
    expect_exactly(z[0], 5);
    expect_exactly(z[1], 2);
    expect_exactly(z[2], -1);
  }
}

// The answers to the three unit vectors are the columns of the pseudo-inverse of the 3 x 5 diag(1, 2, 3).
TEST(R2, ThePseudoInverseOfADiagonalIsTheDiagonalOfReciprocals) {
  const double x[] = {1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0};
  const double unit[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (const std::string solver : {"auto", "qr", "svd", "dual", "lsmr"}) {
    const auto model = fit("linear", {.dense = MatrixView::row_major(x, 3, 5), .y = MatrixView::row_major(unit, 3, 3)},
                           {.intercept = false, .params = {{"solver", solver}}});
    ASSERT_TRUE(model) << solver << ": " << model.error().text();
    EXPECT_EQ(model->linear()->rank, 3);
    EXPECT_NE(model->certificate.verdict, Verdict::refuted) << solver;
    for (std::size_t t = 0; t < 3; ++t)
      for (std::size_t j = 0; j < 5; ++j)
        expect_exactly(model->linear()->targets[t].coefficients[j].value,
                       j == t ? 1.0 / static_cast<double>(j + 1) : 0);
  }
}

TEST(R2, SingularValuesRankAndConditionAreThoseOfTheCentredColumns) { // columns of length 2 and 4, orthogonal
  const Model model = proved("linear", table("a,c,y\n1,2,1\n1,-2,2\n-1,2,3\n-1,-2,4\n"), {.target = {"y"}});
  ASSERT_EQ(model.linear()->singular.size(), 2u);
  expect_exactly(model.linear()->singular[0].singular_value, 4);
  expect_exactly(model.linear()->singular[1].singular_value, 2);
  EXPECT_EQ(model.linear()->rank, 2);
  expect_exactly(model.linear()->condition, 1); // after scaling
}

// x = -1, 0, 1, y = 0, 0, 3, precisions 1, 4, 1: slope 3/2, intercept 1/2, residuals 1, -1/2, 1.
TEST(R3, WithPrecisionsTheLogLikelihoodIsThatOfTheStatedVariances) {
  const Model model = proved("linear", table("x,v,y\n-1,1,0\n0,4,0\n1,1,3\n"), {.target = {"y"}, .weights = "v"});
  const TargetFit& fit = model.linear()->targets[0];
  expect_exactly(coefficient(model, "x"), 1.5);
  expect_exactly(intercept(model), 0.5);
  expect_exactly(fit.rss, 3);
  expect_exactly(fit.mse, 0.5);
  expect_exactly(fit.r2, 0.6);
  expect_exactly(fit.log_likelihood, -1.5 * std::log(2 * std::numbers::pi) + std::log(2.0) - 1.5);
}

TEST(R3, AsFrequenciesTheSameWeightsAreRepeatedRows) {
  const Model counted = proved("linear", table("x,v,y\n-1,1,0\n0,4,0\n1,1,3\n"),
                               {.target = {"y"}, .weights = "v", .weights_are = WeightMeaning::frequency});
  const Model written = proved("linear", table("x,y\n-1,0\n0,0\n0,0\n0,0\n0,0\n1,3\n"), {.target = {"y"}});
  const TargetFit &a = counted.linear()->targets[0], &b = written.linear()->targets[0];
  expect_exactly(a.log_likelihood, b.log_likelihood);
  expect_exactly(a.coefficients[0].standard_error, b.coefficients[0].standard_error);
  expect_exactly(counted.linear()->degrees_of_freedom, 4);
}

// One squared singular value, 5; v'y = 3 / sqrt 5: w = 3 / (5 + 1), ||w||^2 = 5 / 6^2 * 9 / 5 = 1/4.
TEST(R8, TheCoursesExampleHasSquaredNormOneQuarter) {
  const Model model = proved("ridge", read("two-ones").value(), {.intercept = false, .params = {{"tau", 1.0}}});
  const double w = coefficient(model, "x");
  expect_exactly(w * w, 0.25);
  expect_exactly(model.linear()->singular[0].singular_value, std::sqrt(5.0));
  expect_exactly(model.linear()->singular[0].shrinkage, 5.0 / 6);
  expect_exactly(model.linear()->lambda2, 0.5); // tau / N
}

// X = diag(1, 2), y = (1, 1), tau = 2: w_i = d_i / (d_i^2 + 2) = 1/3 and 1/3.
TEST(R8, EachSingularDirectionIsShrunkByItsOwnFactor) {
  const Model model =
      proved("ridge", table("a,c,y\n1,0,1\n0,2,1\n"), {.target = {"y"}, .intercept = false, .params = {{"tau", 2.0}}});
  expect_exactly(coefficient(model, "a"), 1.0 / 3);
  expect_exactly(coefficient(model, "c"), 1.0 / 3);
  expect_exactly(model.linear()->singular[0].shrinkage, 4.0 / 6);
  expect_exactly(model.linear()->singular[1].shrinkage, 1.0 / 3);
}

} // namespace recta
