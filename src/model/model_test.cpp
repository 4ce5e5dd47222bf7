#include "model/linear/body.hpp"

#include <recta/recta.hpp>

#include <gtest/gtest.h>

namespace recta {
namespace {

Model line() { // z = 2 x + 1
  Model model;
  model.word = "linear";
  model.schema.columns.emplace_back().name = "x";
  model.schema.targets = {"y"};
  TargetFit fit;
  fit.target = "y";
  fit.intercept.value = 1;
  Coefficient slope;
  slope.feature = "x";
  slope.value = 2;
  fit.coefficients = {slope};
  own_linear(model).targets = {fit};
  return model;
}

TEST(Predict, a_block_of_a_stream_is_answered_from_its_own_first_row) {
  Dataset block;
  block.rows = 3;
  block.first_row = 5000; // far beyond the rows here
  Column x;
  x.name = "x";
  x.values = {1, 2, 3};
  block.columns = {x};
  const Result<Values> z = line().predict(block);
  ASSERT_TRUE(z) << z.error().text();
  EXPECT_EQ(*z, (Values{3, 5, 7}));
}

TEST(Predict, an_error_in_a_block_names_the_row_of_the_file) {
  Dataset block;
  block.rows = 1;
  block.first_row = 5000;
  Column x;
  x.name = "x";
  x.values = {std::numeric_limits<double>::infinity()};
  block.columns = {x};
  const Result<Values> z = line().predict(block);
  ASSERT_FALSE(z);
  EXPECT_NE(z.error().text().find("row 5001"), std::string::npos) << z.error().text();
}

} // namespace
} // namespace recta
