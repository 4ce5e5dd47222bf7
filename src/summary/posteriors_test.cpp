#include <recta/estimator.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::HasSubstr;

const std::vector<double> kX{0, 0, 1, 1, 0.5, 0.5}, kY{1, 2, 2};

Arrays three() {
  Arrays arrays;
  arrays.dense = MatrixView::row_major(kX.data(), 3, 2);
  arrays.y = MatrixView::vector(kY.data(), 3);
  return arrays;
}

// Spec W1: the intercept first.
TEST(Posteriors, OfGivenWeightsAreThoseOfTheCourse) {
  const FitOptions options{.params = {{"start", std::string("1,-1,-1,-1,1,1")}, {"rate", 1.0}, {"steps", 1.0}}};
  const auto found = trace("softmax", three(), options);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_TRUE(found->intercept);
  EXPECT_FALSE(found->own_intercept());
  const auto posteriors = trace_posteriors(*found, three(), options);
  ASSERT_TRUE(posteriors) << posteriors.error().text();
  ASSERT_EQ(posteriors->steps.size(), 2);
  const double large = 1 / (1 + std::exp(-2.0)), small = 1 / (1 + std::exp(2.0));
  const Values expected{large, small, small, large, 0.5, 0.5};
  for (std::size_t k = 0; k < 6; ++k) EXPECT_DOUBLE_EQ(posteriors->steps[0][k], expected[k]);
  EXPECT_GT(posteriors->steps[1][5], 0.5); // its row has learned
}

TEST(Posteriors, AreOfClassesAndOfTheSameRows) {
  const FitOptions options{.params = {{"rate", 1.0}, {"steps", 1.0}}};
  auto found = trace("linear", three(), options);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_THAT(trace_posteriors(*found, three(), options).error().text(), HasSubstr("has no probabilities of classes"));
  found = trace("logistic", three(), options);
  ASSERT_TRUE(found) << found.error().text();
  found->steps[0].weights.pop_back();
  EXPECT_THAT(trace_posteriors(*found, three(), options).error().text(), HasSubstr("1 weights, and these rows 2"));
}

} // namespace
} // namespace recta
