// A learning curve is the errors of fits made by hand.
#include <recta/recta.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::HasSubstr;

// y = x + noise that a line cannot learn, with a word for the row's class.
Dataset table(Index rows) {
  Dataset data;
  data.rows = rows;
  data.source = "table";
  Column x, y, c;
  x.name = "x", y.name = "y", c.name = "c";
  c.type = ColumnType::category;
  c.levels = {"no", "yes"};
  for (Index i = 0; i < rows; ++i) {
    const double t = std::sin(static_cast<double>(3 * i + 1));
    x.values.push_back(t);
    y.values.push_back(t + 0.5 * std::cos(static_cast<double>(7 * i)));
    c.codes.push_back(i % 4 == 0 ? 1 : 0);
  }
  data.columns = {x, y, c};
  return data;
}

TEST(LearningCurves, AreTheErrorsOfFitsByHand) {
  const Dataset data = table(43);
  const FitOptions options{.target = {"y"}, .ignore = {"c"}};
  const auto curve = learning_curve("linear", data, options, {.shares = {1, 0.5}, .folds = 4, .seed = 9});
  ASSERT_TRUE(curve) << curve.error().text();
  ASSERT_EQ(curve->points.size(), 2u);
  EXPECT_EQ(curve->measure, "mse");
  const std::vector<Index> order = shuffled_rows(43, 9).value();
  for (std::size_t s = 0; s < 2; ++s)
    for (Index fold = 0; fold < 4; ++fold) {
      std::vector<Index> trained, left_out;
      for (std::size_t k = 0; k < order.size(); ++k)
        (static_cast<Index>(k) % 4 == fold ? left_out : trained).push_back(order[k]);
      if (s == 0) trained.resize(static_cast<std::size_t>(std::lround(0.5 * static_cast<double>(trained.size()))));
      std::ranges::sort(trained);
      const auto model = fit("linear", take_rows(data, trained).value(), options);
      ASSERT_TRUE(model);
      const LearningPoint& point = curve->points[s];
      EXPECT_EQ(point.fold_training[static_cast<std::size_t>(fold)],
                evaluate(*model, take_rows(data, trained).value())->targets[0].mse);
      EXPECT_NEAR(point.fold_left_out[static_cast<std::size_t>(fold)],
                  evaluate(*model, take_rows(data, left_out).value())->targets[0].mse, 1e-15);
      if (fold == 0) {
        EXPECT_EQ(point.rows, std::ssize(trained));
      }
    }
  const std::vector<double>& errors = curve->points[1].fold_left_out;
  const double mean = (errors[0] + errors[1] + errors[2] + errors[3]) / 4;
  double squares = 0;
  for (const double error : errors) squares += (error - mean) * (error - mean);
  EXPECT_DOUBLE_EQ(curve->points[1].left_out, mean);
  EXPECT_DOUBLE_EQ(curve->points[1].left_out_standard_error, std::sqrt(squares / 12));
}

// A quarter of 40 rows is "yes", and so are 5 of the 20 rows not left out, so that no fit lacks a class.
TEST(LearningCurves, OfClassesHaveTheirSharesAtEveryPoint) {
  const auto curve = learning_curve("logistic", table(40), {.target = {"c"}, .ignore = {"y"}},
                                    {.shares = {0.25, 1}, .folds = 2, .seed = 3});
  ASSERT_TRUE(curve) << curve.error().text();
  EXPECT_EQ(curve->measure, "error rate");
  EXPECT_EQ(curve->points[1].rows, 20);
  for (const double error : curve->points[1].fold_left_out) EXPECT_EQ(error * 20, std::round(error * 20));
}

TEST(LearningCurves, SayWhatIsWrong) {
  const Dataset data = table(10);
  const FitOptions options{.target = {"y"}};
  EXPECT_THAT(learning_curve("linear", data, options, {.shares = {1.5}}).error().text(),
              HasSubstr("1.5 is not a share"));
  EXPECT_THAT(learning_curve("linear", data, options, {.folds = 1}).error().text(), HasSubstr("leave no row out"));
  EXPECT_THAT(learning_curve("linear", data, options, {.folds = 11}).error().text(), HasSubstr("do not make 11 folds"));
  EXPECT_THAT(learning_curve("logistic", data, {.target = {"c"}, .ignore = {"y"}}, {.shares = {0.1}}).error().text(),
              HasSubstr("with 1 rows"));
}

TEST(LearningCurves, AreDrawnAndSoAreThoseOfAPath) {
  const auto curve = learning_curve("linear", table(30), {.target = {"y"}, .ignore = {"c"}});
  ASSERT_TRUE(curve) << curve.error().text();
  EXPECT_EQ(curve->points.size(), 10u);
  const auto drawn = plot::svg(*learning_picture(*curve));
  ASSERT_TRUE(drawn);
  EXPECT_THAT(*drawn, HasSubstr("rows left out"));
  EXPECT_FALSE(learning_picture({}));
  const FitOptions options{.target = {"y"}, .ignore = {"c"}};
  const auto path_of = path("ridge", table(30), options, {.count = 5, .folds = 3});
  ASSERT_TRUE(path_of) << path_of.error().text();
  EXPECT_THAT(*plot::svg(*validation_picture(*path_of)), HasSubstr("1se"));
  const auto bare = path("ridge", table(30), options, {.count = 5});
  EXPECT_THAT(validation_picture(*bare).error().text(), HasSubstr("left no rows out"));
}

} // namespace
} // namespace recta
