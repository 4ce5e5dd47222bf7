// A loss with a penalty gives the answer of the model that is made for the pair, and new pairs are proved.
#include "model/linear/body.hpp"

#include <recta/recta.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace recta {
namespace {

struct Made {
  std::vector<double> x, y;
  Arrays arrays;
  Made(Index rows, Index cols, bool labels) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    for (Index i = 0; i < rows; ++i) {
      double sum = 2;
      for (Index j = 0; j < cols; ++j) {
        x.push_back(normal(random) * (j == 0 ? 100 : 1) + 5);
        if (j < 3) sum += x.back() * (j == 1 ? -1 : 1) / (j == 0 ? 100 : 1);
      }
      const double z = sum + normal(random);
      y.push_back(labels ? (z > 2 ? 1 : -1) : z);
    }
    arrays.dense = MatrixView::row_major(x.data(), rows, cols);
    arrays.y = MatrixView::vector(y.data(), rows);
  }
};

Model fitted(const std::string& word, const Made& made, const Params& params) {
  auto model = fit(word, made.arrays, {.params = params});
  EXPECT_TRUE(model) << model.error().text();
  return *model;
}

void expect_same(const Model& one, const Model& other, double within) {
  const TargetFit &a = one.linear()->targets[0], &b = other.linear()->targets[0];
  EXPECT_EQ(one.certificate.verdict, Verdict::proved) << one.certificate.sentence();
  EXPECT_NEAR(a.intercept.value, b.intercept.value, within);
  for (std::size_t j = 0; j < a.coefficients.size(); ++j)
    EXPECT_NEAR(a.coefficients[j].value, b.coefficients[j].value, within) << j;
}

TEST(Penalised, IsTheModelThatIsMadeForThePair) {
  const Made numbers(80, 6, false), labels(120, 5, true);
  expect_same(fitted("penalised", numbers, {{"lambda", 0.2}}), fitted("lasso", numbers, {{"lambda", 0.2}}), 1e-4);
  expect_same(fitted("penalised", numbers, {{"lambda", 0.2}, {"penalty", "l2"}}),
              fitted("ridge", numbers, {{"lambda", 0.2}}), 1e-4);
  expect_same(fitted("penalised", numbers, {{"lambda", 0.2}, {"penalty", "elastic-net"}, {"l1-share", 0.25}}),
              fitted("elastic-net", numbers, {{"lambda1", 0.05}, {"lambda2", 0.15}}), 1e-4);
  expect_same(fitted("penalised", numbers, {{"lambda", 0.1}, {"loss", "huber"}, {"delta", 0.5}, {"penalty", "l2"}}),
              fitted("huber", numbers, {{"lambda2", 0.1}, {"delta", 0.5}}), 1e-4);
  expect_same(fitted("penalised-classes", labels, {{"lambda", 0.02}, {"penalty", "l1"}}),
              fitted("logistic", labels, {{"lambda1", 0.02}}), 1e-3);
  expect_same(fitted("penalised-classes", labels, {{"lambda", 0.02}, {"penalty", "l2"}}),
              fitted("logistic", labels, {{"lambda2", 0.02}}), 1e-3);
}

TEST(Penalised, ABoxHoldsEveryWeight) {
  const Made made(80, 6, false);
  const Model model = fitted("penalised", made, {{"penalty", "box"}, {"lower", "0/-0.5/0/0/0/0"}, {"upper", "0.3"}});
  EXPECT_EQ(model.certificate.verdict, Verdict::proved) << model.certificate.sentence();
  const auto& weights = model.linear()->targets[0].coefficients;
  EXPECT_EQ(weights[1].value, -0.5);
  EXPECT_EQ(weights[2].value, 0.3);
}

TEST(Penalised, WeightsOfAGroupAreZeroTogether) {
  const Made made(80, 6, false);
  const Model model =
      fitted("penalised", made, {{"penalty", "group"}, {"groups", "1/1/1/2/2/2"}, {"lambda", 0.5}, {"loss", "huber"}});
  EXPECT_EQ(model.certificate.verdict, Verdict::proved) << model.certificate.sentence();
  const auto& weights = model.linear()->targets[0].coefficients;
  for (int j : {3, 4, 5}) EXPECT_EQ(weights[static_cast<std::size_t>(j)].value, 0);
  EXPECT_NE(weights[2].value, 0);
}

TEST(Penalised, ManyColumnsAreProvedToo) {
  const Made made(20, 1010, false);
  const Model model = fitted("penalised", made, {{"lambda", 0.3}});
  EXPECT_EQ(model.certificate.verdict, Verdict::proved) << model.certificate.sentence();
  EXPECT_NEAR(model.certificate.objective, fitted("lasso", made, {{"lambda", 0.3}}).certificate.objective,
              1e-8 * model.certificate.null_objective);
}

TEST(Penalised, ATargetThatDoesNotVaryIsProved) {
  Made made(6, 2, false);
  std::ranges::fill(made.y, 2.5);
  const Model model = fitted("penalised", made, {{"lambda", 1.0}});
  EXPECT_EQ(model.certificate.verdict, Verdict::proved) << model.certificate.sentence();
  EXPECT_EQ(model.linear()->targets[0].intercept.value, 2.5);
}

// Rounding is far above such a penalty, and the bound says so in numbers.
TEST(Penalised, ATinyPenaltyHasAFiniteGap) {
  const Made made(80, 6, false);
  for (const double lambda : {1e-9, 1e-12, 1e-15}) {
    const Model model = fitted("penalised", made, {{"lambda", lambda}});
    const auto& gap = std::get<DualityGap>(model.certificate.claim);
    EXPECT_TRUE(std::isfinite(gap.gap + model.certificate.slack)) << model.certificate.sentence();
  }
}

// Steps of one length for columns of 1e6 beside 1e-3 end far from the optimum; the model says so, and is verified so.
TEST(Penalised, WhatIsNotProvedIsVerifiedAsThat) {
  Made made(200, 4, false);
  for (std::size_t i = 0; i < made.x.size(); ++i) made.x[i] *= i % 4 == 0 ? 1e6 : i % 4 == 1 ? 1e-3 : 1;
  const Model model = fitted("penalised", made, {{"lambda", 0.2}});
  ASSERT_EQ(model.certificate.verdict, Verdict::stopped_early) << model.certificate.sentence();
  EXPECT_EQ(verify(model, made.arrays)->verdict, Verdict::stopped_early);
  Model moved = model;
  own_linear(moved).targets[0].coefficients[2].value += 0.5;
  EXPECT_EQ(verify(moved, made.arrays)->verdict, Verdict::refuted); // its figures are others
}

TEST(Penalised, ParametersOfOthersAreRefused) {
  const Made made(20, 3, false);
  const auto refused = [&](const Params& params) { return fit("penalised", made.arrays, {.params = params}).error(); };
  EXPECT_THAT(refused({{"lower", "1"}}).text(),
              testing::HasSubstr("neither the loss squared nor the penalty l1 has it"));
  EXPECT_THAT(refused({{"penalty", "box"}, {"lambda", 2.0}}).text(), testing::HasSubstr("has no strength"));
  EXPECT_THAT(refused({{"penalty", "box"}, {"lower", "3"}}).text(), testing::HasSubstr("above its upper bound"));
  EXPECT_THAT(refused({{"penalty", "group"}, {"groups", "1/2"}}).text(), testing::HasSubstr("3 are expected"));
  EXPECT_THAT(refused({{"penalty", "group"}, {"groups", "x9=1"}}).text(), testing::HasSubstr("no feature \"x9\""));
}

} // namespace
} // namespace recta
