#include <recta/estimator.hpp>
#include <recta/split.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::HasSubstr;

Model fitted_without(const Dataset& data, const Holdout& holdout) {
  Model model =
      fit("linear", take_rows(data, split_rows(data.rows, holdout.share, holdout.seed).value().train).value()).value();
  model.holdout = holdout;
  return model;
}

TEST(HeldOutRows, AreThoseTheFitSetAside) {
  const Dataset data = read("housing").value();
  const Model model = fitted_without(data, {0.2, 3});
  const auto rows = held_out_rows(model, data);
  ASSERT_TRUE(rows) << rows.error().text();
  const Dataset expected = take_rows(data, split_rows(data.rows, 0.2, 3).value().held_out).value();
  ASSERT_EQ(rows->rows, expected.rows);
  for (std::size_t j = 0; j < data.columns.size(); ++j) EXPECT_EQ(rows->columns[j].values, expected.columns[j].values);
}

TEST(HeldOutRows, AreRefusedWhereTheModelMayHaveSeenThem) {
  const Dataset data = read("housing").value();
  EXPECT_THAT(held_out_rows(fit("linear", data).value(), data).error().what, HasSubstr("set none aside"));
  Model model = fitted_without(data, {0.2, 3});
  model.holdout.seed = 4;
  EXPECT_THAT(held_out_rows(model, data).error().what, HasSubstr("are not those the model was trained on"));
}

} // namespace
} // namespace recta
