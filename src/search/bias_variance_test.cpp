// Bias and variance against a computation by hand from the same samples.
#include <recta/recta.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

namespace recta {
namespace {

using testing::HasSubstr;

Column column_of_numbers(std::string name, const std::vector<double>& values) {
  Column column;
  column.name = std::move(name);
  column.values.assign(values.begin(), values.end());
  return column;
}

// A curve with noise, and classes cut from it.
Dataset waves(Index rows, std::size_t classes) {
  std::vector<double> x, y, w;
  Column label;
  label.name = "c", label.type = ColumnType::category;
  label.levels = classes == 2 ? std::vector<std::string>{"no", "yes"} : std::vector<std::string>{"a", "b", "c"};
  for (Index i = 0; i < rows; ++i) {
    const auto t = static_cast<double>(i);
    x.push_back(2 * std::sin(3 * t + 1)), y.push_back(std::sin(2 * x.back()) + 0.4 * std::cos(7 * t * t));
    w.push_back(1 + static_cast<double>(i % 3));
    label.codes.push_back(classes == 2 ? (y.back() > 0 ? 1 : 0) : y.back() > 0.4 ? 2 : y.back() < -0.4 ? 0 : 1);
  }
  Dataset data;
  data.rows = rows, data.source = "waves";
  data.columns = {column_of_numbers("x", x), column_of_numbers("y", y), column_of_numbers("w", w), label};
  return data;
}

// The predictions of rows that were left out, by fits of the same samples.
std::vector<std::vector<double>> predictions(const std::string& word, const Dataset& data, const FitOptions& options,
                                             Index samples, const std::vector<double>& label) {
  const auto splits = make_splits({.kind = SplitPlan::Kind::bootstrap, .repeats = samples, .seed = 4},
                                  {.rows = data.rows, .label = label});
  std::vector<std::vector<double>> said(static_cast<std::size_t>(data.rows));
  for (Index b = 0; b < samples; ++b) {
    const Split split = (*splits)[b];
    const auto model = fit(word, take_rows(data, split.train).value(), options);
    const auto z = model->predict(take_rows(data, split.held_out).value());
    for (std::size_t i = 0; i < split.held_out.size(); ++i)
      said[static_cast<std::size_t>(split.held_out[i])].push_back((*z)[i]);
  }
  return said;
}

TEST(BiasVariance, OfNumbersAddsUpToTheErrorExactly) {
  const Dataset data = waves(60, 2);
  const FitOptions options{.target = {"y"}, .weights = "w", .ignore = {"c"}};
  const auto curve = bias_variance("linear", data, options,
                                   {.over = grid_axis("linear", "degree=1,3,9").value(), .samples = 20, .seed = 4});
  ASSERT_TRUE(curve) << curve.error().text();
  ASSERT_EQ(curve->points.size(), 3U);
  for (const BiasVariancePoint& point : curve->points) {
    EXPECT_NEAR(point.error, point.bias + point.variance, 1e-9 * point.error);
    EXPECT_EQ(point.net_variance, point.variance);
  }
  EXPECT_GT(curve->points[0].bias, curve->points[1].bias); // a line is too simple for a wave

  FitOptions cubic = options;
  cubic.poly = 3;
  const auto said = predictions("linear", data, cubic, 20, {});
  double error = 0, bias = 0, weights = 0;
  for (std::size_t i = 0; i < said.size(); ++i) {
    if (said[i].size() < 2) continue;
    const double y = data.columns[1].values[i], w = data.columns[2].values[i];
    double mean = 0, squares = 0;
    for (const double f : said[i]) mean += f / static_cast<double>(said[i].size());
    for (const double f : said[i]) squares += (y - f) * (y - f) / static_cast<double>(said[i].size());
    error += w * squares, bias += w * (y - mean) * (y - mean), weights += w;
  }
  EXPECT_NEAR(curve->points[1].error, error / weights, 1e-9 * error / weights);
  EXPECT_NEAR(curve->points[1].bias, bias / weights, 1e-9 * bias / weights);
}

TEST(BiasVariance, OfTwoClassesAddsUpWithTheVarianceWhereItHelps) {
  const Dataset data = waves(80, 2);
  const FitOptions options{.target = {"c"}, .ignore = {"y", "w"}};
  const auto curve =
      bias_variance("knn", data, options, {.over = grid_axis("knn", "k=1,5,25").value(), .samples = 20, .seed = 4});
  ASSERT_TRUE(curve) << curve.error().text();
  for (const BiasVariancePoint& point : curve->points) EXPECT_NEAR(point.error, point.bias + point.net_variance, 1e-12);
  FitOptions five = options;
  five.params["k"] = 5.0;
  const std::vector<double> label(data.columns[3].codes.begin(), data.columns[3].codes.end());
  const auto said = predictions("knn", data, five, 20, label);
  double wrong = 0, main_wrong = 0, against_main = 0, rows = 0;
  for (std::size_t i = 0; i < said.size(); ++i) {
    if (said[i].size() < 2) continue;
    double yes = 0;
    for (const double place : said[i]) yes += place / static_cast<double>(said[i].size());
    const double main = yes > 0.5 ? 1 : 0;
    wrong += label[i] == 1 ? 1 - yes : yes, main_wrong += main != label[i], against_main += std::min(yes, 1 - yes),
        ++rows;
  }
  EXPECT_NEAR(curve->points[1].error, wrong / rows, 1e-12);
  EXPECT_NEAR(curve->points[1].bias, main_wrong / rows, 1e-12);
  EXPECT_NEAR(curve->points[1].variance, against_main / rows, 1e-12);
  EXPECT_EQ(curve->measure, "error rate");
  ASSERT_TRUE(bias_variance_picture(*curve));
}

TEST(BiasVariance, OfThreeClassesHasNoSum) {
  const auto curve =
      bias_variance("naive-bayes", waves(90, 3), {.target = {"c"}, .ignore = {"y", "w"}}, {.samples = 8});
  ASSERT_TRUE(curve) << curve.error().text();
  EXPECT_TRUE(std::isnan(curve->points[0].net_variance));
  EXPECT_GT(curve->points[0].error, 0);
  EXPECT_THAT(bias_variance_picture(*curve).error().text(), HasSubstr("against a parameter that is a number"));
}

TEST(BiasVariance, SaysWhatItCannotFit) {
  const Dataset data = waves(40, 2);
  const FitOptions options{.target = {"y"}, .ignore = {"c", "w"}};
  EXPECT_THAT(bias_variance("linear", data, options, {.samples = 1}).error().text(), HasSubstr("draw two or more"));
  const GridAxis unknown{.name = "k", .values = {1.0}};
  EXPECT_FALSE(bias_variance("linear", data, options, {.over = unknown}));
  const auto some = bias_variance("knn-regression", data, options,
                                  {.over = grid_axis("knn-regression", "k=3,400").value(), .samples = 4});
  ASSERT_TRUE(some) << some.error().text();
  EXPECT_EQ(some->points[0].failure, "");
  EXPECT_THAT(some->points[1].failure, HasSubstr("sample 1"));
}

} // namespace
} // namespace recta
