// Constants: exact answers on small tables, what the proof refutes, and what is refused.
#include "model/linear/body.hpp"

#include <recta/estimator.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::HasSubstr;

struct Table {
  std::vector<double> x{0, 1, 2, 3, 4}, y{1, 2, 4, 8, 100}, weights{};

  Arrays arrays() const {
    return {.dense = {.data = x.data(), .rows = 5, .cols = 1, .row_stride = 1, .col_stride = 5},
            .y = {.data = y.data(), .rows = 5, .cols = 1, .row_stride = 1, .col_stride = 5},
            .weights = weights.empty() ? nullptr : weights.data()};
  }
};

double constant_of(const Table& table, Params params) {
  FitOptions options;
  options.params = std::move(params);
  const auto model = fit("constant", table.arrays(), options);
  EXPECT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  EXPECT_EQ(model->linear()->targets[0].coefficients[0].value, 0);
  return model->linear()->targets[0].intercept.value;
}

TEST(Constant, IsTheMeanTheMedianOrAQuantile) {
  EXPECT_EQ(constant_of({}, {}), 23);
  EXPECT_EQ(constant_of({}, {{"statistic", std::string("median")}}), 4);
  EXPECT_EQ(constant_of({}, {{"statistic", std::string("quantile")}, {"quantile", 0.7}}), 8);
}

TEST(Constant, OfAnEvenWeightIsInTheMiddleOfTheMedians) {
  EXPECT_EQ(constant_of({.weights = {1, 1, 1, 1, 0}}, {{"statistic", std::string("median")}}), 3);
}

TEST(Constant, IsRefutedWhereItIsAnother) {
  const Table table;
  auto model = fit("constant", table.arrays(), {});
  ASSERT_TRUE(model);
  own_linear(*model).targets[0].intercept.value = 22;
  const auto certificate = verify(*model, table.arrays());
  ASSERT_TRUE(certificate);
  EXPECT_EQ(certificate->verdict, Verdict::refuted);
  EXPECT_EQ(std::get<ExactOptimum>(certificate->claim).suboptimality, 0.5); // (5 * 1)^2 / (2 * 5^2)
}

TEST(Constant, WithASlopeIsRefuted) {
  const Table table;
  auto model = fit("constant", table.arrays(), {});
  ASSERT_TRUE(model);
  own_linear(*model).targets[0].coefficients[0].value = 1e-9;
  const auto certificate = verify(*model, table.arrays());
  ASSERT_TRUE(certificate);
  EXPECT_EQ(certificate->verdict, Verdict::refuted);
  EXPECT_THAT(certificate->sentence(), HasSubstr("a slope along x1"));
}

TEST(Constant, AQuantileThatIsAnotherIsRefuted) {
  const Table table;
  FitOptions options;
  options.params = {{"statistic", std::string("median")}};
  auto model = fit("constant", table.arrays(), options);
  ASSERT_TRUE(model);
  own_linear(*model).targets[0].intercept.value = 8;
  const auto certificate = verify(*model, table.arrays());
  ASSERT_TRUE(certificate);
  EXPECT_EQ(certificate->verdict, Verdict::refuted);
  // F(8) - F(4) = (7 + 6 + 4 + 0 + 92 - 3 - 2 - 0 - 4 - 96) / 10, and the bound is not below it.
  EXPECT_GE(std::get<ExactOptimum>(certificate->claim).suboptimality, 0.4);
}

TEST(Constant, WithoutAnInterceptIsRefused) {
  FitOptions options;
  options.intercept = false;
  const Table table;
  const auto model = fit("constant", table.arrays(), options);
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().text(), HasSubstr("a constant is all it has"));
}

TEST(Majority, HasTheSharesOfTheClassesForProbabilities) {
  const Table table{.y = {3, 7, 7, 3, 7}};
  const auto model = fit("majority", table.arrays(), {});
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  const auto shares = model->predict(table.arrays().dense, 1, Answer::probability);
  ASSERT_TRUE(shares);
  EXPECT_NEAR((*shares)[0], 0.4, 1e-15);
  EXPECT_NEAR((*shares)[1], 0.6, 1e-15);
  const auto taken = model->predict(table.arrays().dense, 1);
  ASSERT_TRUE(taken);
  EXPECT_EQ((*taken)[0], 1); // the place of 7
  EXPECT_EQ(model->linear()->classes.accuracy, 0.6);
}

TEST(Majority, OfEqualClassesIsTheFirst) {
  const Table table{.y = {3, 7, 7, 3, 7}, .weights = {1, 1, 0, 1, 1}};
  const auto model = fit("majority", table.arrays(), {});
  ASSERT_TRUE(model) << model.error().text();
  const auto taken = model->predict(table.arrays().dense, 1);
  const auto shares = model->predict(table.arrays().dense, 1, Answer::probability);
  ASSERT_TRUE(taken && shares);
  EXPECT_EQ((*taken)[0], 0);
  EXPECT_GT((*shares)[0], (*shares)[1]);
  EXPECT_NEAR((*shares)[1], 0.5, 1e-15);
}

TEST(Majority, IsRefutedWhereItsScoresAreOthers) {
  const Table table{.y = {3, 7, 8, 3, 7}};
  auto model = fit("majority", table.arrays(), {});
  ASSERT_TRUE(model) << model.error().text();
  ASSERT_EQ(model->linear()->targets.size(), 3U);
  own_linear(*model).targets[0].intercept.value = -0.9;
  const auto certificate = verify(*model, table.arrays());
  ASSERT_TRUE(certificate);
  EXPECT_EQ(certificate->verdict, Verdict::refuted);
}

} // namespace
} // namespace recta
