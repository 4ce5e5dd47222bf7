// Spec W1: rows (0,0), (1,1), (.5,.5) under W^t = [[1,-1,-1],[-1,1,1]], the first column the intercept.
#include "model/linear/body.hpp"

#include <recta/recta.hpp>

#include <gtest/gtest.h>

namespace recta {
namespace {

TEST(WorkedExamples, W1PosteriorsOfGivenWeights) {
  Model model;
  model.word = "softmax";
  model.schema.targets = {"c"};
  model.schema.classes.labels = {"1", "2"};
  model.schema.classes.weight = {1, 1};
  model.schema.columns.resize(2);
  model.schema.columns[0].name = "x1";
  model.schema.columns[1].name = "x2";
  for (const double sign : {1.0, -1.0}) {
    TargetFit& fit = own_linear(model).targets.emplace_back();
    fit.intercept.value = sign;
    for (const char* name : {"x1", "x2"}) fit.coefficients.push_back({.feature = name, .value = -sign});
  }
  const std::vector<double> x{0, 0, 1, 1, 0.5, 0.5};
  const auto view = MatrixView::row_major(x.data(), 3, 2);
  const auto mu = model.predict(view, 1, Answer::probability);
  ASSERT_TRUE(mu) << mu.error().text();
  const double expected[] = {.880797077978, .119202922022, .119202922022, .880797077978, .5, .5};
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR((*mu)[k], expected[k], 5e-13) << k;
  const auto classes = model.predict(view, 1);
  ASSERT_TRUE(classes);
  EXPECT_EQ((*classes)[0], 0);
  EXPECT_EQ((*classes)[1], 1);
  EXPECT_EQ((*classes)[2], 1); // a tie goes to the second of two
}

} // namespace
} // namespace recta
