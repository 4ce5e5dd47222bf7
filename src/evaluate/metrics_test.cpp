// Scores that can be done on paper, for a model whose predictions are known: y = 1 + 2 x.
#include "model/linear/body.hpp"

#include <recta/evaluate.hpp>

#include <cmath>
#include <gmock/gmock.h>

namespace recta {
namespace {

using testing::HasSubstr;

Column numbers(const std::string& name, std::initializer_list<double> values) {
  Column column;
  column.name = name;
  column.values.assign(values.begin(), values.end());
  return column;
}

Dataset table(std::vector<Column> columns) {
  Dataset data;
  data.source = "t.csv";
  data.rows = columns[0].rows();
  data.columns = std::move(columns);
  return data;
}

Model line() {
  Model model;
  model.word = "linear";
  model.schema.columns.push_back({"x", ColumnType::real, {}, {}, 0, false});
  model.schema.targets = {"y"};
  model.schema.weights = "w";
  TargetFit& fit = own_linear(model).targets.emplace_back();
  fit.target = "y";
  fit.intercept.value = 1;
  fit.coefficients.emplace_back();
  fit.coefficients[0].feature = "x";
  fit.coefficients[0].value = 2;
  return model;
}

TEST(Evaluate, ScoresByHand) { // predictions 1 3 5 7, errors 0 1 0 -3
  const auto out = evaluate(line(), table({numbers("x", {0, 1, 2, 3}), numbers("y", {1, 4, 5, 4})}));
  ASSERT_TRUE(out) << out.error().text();
  EXPECT_EQ(out->rows, 4);
  EXPECT_EQ(out->weight_sum, 4);
  ASSERT_EQ(out->targets.size(), 1u);
  const TargetScore& score = out->targets[0];
  EXPECT_EQ(score.target, "y");
  EXPECT_DOUBLE_EQ(score.mse, 2.5);
  EXPECT_DOUBLE_EQ(score.rmse, std::sqrt(2.5));
  EXPECT_DOUBLE_EQ(score.mae, 1);
  EXPECT_DOUBLE_EQ(score.mean_loss, 1.25); // half the square
  EXPECT_DOUBLE_EQ(score.r2, 1 - 10.0 / 9);
  EXPECT_EQ(score.largest_error, 3);
  EXPECT_EQ(score.largest_error_row, 4);
}

TEST(Evaluate, AnOffsetIsNoMeritOfTheModel) { // predictions 2 5, errors 0 1; y - o is 1 4
  Model model = line();
  model.schema.offset = "o";
  const auto out = evaluate(model, table({numbers("x", {0, 1}), numbers("y", {2, 6}), numbers("o", {1, 2})}));
  ASSERT_TRUE(out) << out.error().text();
  EXPECT_DOUBLE_EQ(out->targets[0].mse, 0.5);
  EXPECT_DOUBLE_EQ(out->targets[0].r2, 1 - 1 / 4.5);
}

TEST(Evaluate, TakesAWeightAsRepetitionAndSkipsZero) {
  const auto weighted =
      evaluate(line(), table({numbers("x", {0, 1, 7}), numbers("y", {2, 5, 0}), numbers("w", {1, 2, 0})}));
  const auto repeated = evaluate(line(), table({numbers("x", {0, 1, 1}), numbers("y", {2, 5, 5})}));
  ASSERT_TRUE(weighted && repeated);
  EXPECT_EQ(weighted->rows, 2);
  EXPECT_EQ(weighted->weight_sum, 3);
  EXPECT_DOUBLE_EQ(weighted->targets[0].mse, repeated->targets[0].mse);
  EXPECT_DOUBLE_EQ(weighted->targets[0].r2, repeated->targets[0].r2);
  EXPECT_EQ(weighted->targets[0].largest_error_row, 2);
}

TEST(Evaluate, SkipsRowsWithoutATarget) {
  const auto out = evaluate(line(), table({numbers("x", {0, 1}), numbers("y", {std::nan(""), 3})}));
  ASSERT_TRUE(out);
  EXPECT_EQ(out->rows, 1);
  EXPECT_EQ(out->targets[0].mse, 0);
  EXPECT_TRUE(std::isnan(out->targets[0].r2)); // one row does not vary
  EXPECT_EQ(out->targets[0].largest_error_row, 2);
}

TEST(Evaluate, NamesWhatIsWrong) {
  const auto text = [](const Result<Evaluation>& out) { return out ? "accepted" : out.error().text(); };
  EXPECT_THAT(text(evaluate(line(), table({numbers("x", {1}), numbers("Y", {1})}))),
              HasSubstr("there is no column \"y\", the model's target; did you mean \"Y\"?"));
  EXPECT_THAT(text(evaluate(line(), table({numbers("x", {1}), numbers("y", {std::nan("")})}))),
              HasSubstr("no row has a target"));
  EXPECT_THAT(text(evaluate(line(), table({numbers("x", {1, 2}), numbers("y", {1, 2}), numbers("w", {1, -2})}))),
              HasSubstr("t.csv, row 2, column w: the weight is -2"));
  EXPECT_THAT(text(evaluate(line(), table({numbers("x", {1}), numbers("y", {1})}), "sqared")),
              HasSubstr("did you mean \"squared\"?"));
}

TEST(Evaluate, TakesALossOfLabelsForLabelsAlone) { // predictions 1 -1 3, margins 1 1 -3
  const auto good = evaluate(line(), table({numbers("x", {0, -1, 1}), numbers("y", {1, -1, -1})}), "hinge");
  ASSERT_TRUE(good) << good.error().text();
  EXPECT_DOUBLE_EQ(good->targets[0].mean_loss, 4.0 / 3);
  const auto bad = evaluate(line(), table({numbers("x", {0, 1}), numbers("y", {1, 4})}), "hinge");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().text(), "t.csv, row 2, column y: 4 is not a label: the loss hinge is that of -1 and 1; choose "
                                "a loss of numbers, such as squared");
}

} // namespace
} // namespace recta
