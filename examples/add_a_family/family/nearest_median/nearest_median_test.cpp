#include "model/linear/body.hpp"

#include <recta/estimator.hpp>

#include <gtest/gtest.h>

namespace recta {
namespace {

// Medians 1 and 10; half-way is 5.5, where the means 37.3 and 8 would say otherwise.
const std::vector<double> kX{0, 1, 111, 4, 10, 10}, kY{0, 0, 0, 1, 1, 1};

Arrays table() {
  return {.dense = {.data = kX.data(), .rows = 6, .cols = 1, .row_stride = 1, .col_stride = 6},
          .y = {.data = kY.data(), .rows = 6, .cols = 1, .row_stride = 1, .col_stride = 6}};
}

TEST(NearestMedian, DividesBetweenTheMedians) {
  const auto model = fit("nearest-median", table());
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved);
  const std::vector<double> rows{5.4, 5.6};
  const auto classes = model->predict({.data = rows.data(), .rows = 2, .cols = 1, .row_stride = 1, .col_stride = 2});
  ASSERT_TRUE(classes);
  EXPECT_EQ((*classes)[0], 0);
  EXPECT_EQ((*classes)[1], 1);
}

TEST(NearestMedian, WhatIsNoMedianIsRefuted) {
  auto model = fit("nearest-median", table());
  ASSERT_TRUE(model) << model.error().text();
  own_linear(*model).targets[0].coefficients[0].value = 2;
  const auto certificate = verify(*model, table());
  ASSERT_TRUE(certificate);
  EXPECT_EQ(certificate->verdict, Verdict::refuted);
}

} // namespace
} // namespace recta
