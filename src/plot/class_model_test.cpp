#include "data/test_table.hpp"
#include "plot/test_layers.hpp"

#include <recta/estimator.hpp>
#include <recta/plot.hpp>

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

using namespace recta::plot;
using recta::Answer;
using recta::Dataset;
using recta::Index;
using recta::Model;
using recta::table;
using testing::HasSubstr;

namespace {

Model fitted(const Dataset& data, double lambda = 0) {
  auto model = recta::fit("logistic", data, {.target = {"y"}, .params = {{"lambda", lambda}}});
  EXPECT_TRUE(model) << model.error().text();
  return *model;
}

// y = 1 in one of four rows at x = 0, in three of four at x = 1.
Dataset two_by_two() {
  return table({{"x", {0, 0, 0, 0, 1, 1, 1, 1}}, {"y", {0, 0, 0, 1, 0, 1, 1, 1}}});
}

Dataset plane() {
  return table({{"a", {0, 1, 0, 1, 2, 3, 2, 3}}, {"b", {0, 0, 1, 2, 1, 0, 2, 3}}, {"y", {0, 0, 0, 1, 0, 1, 1, 1}}});
}

double at(const Line& line, double x) {
  const auto next = std::ranges::upper_bound(line.x, x) - line.x.begin();
  const double share = (x - line.x[next - 1]) / (line.x[next] - line.x[next - 1]);
  return line.y[next - 1] * (1 - share) + share * line.y[next];
}

} // namespace

TEST(ClassCurve, HasTheProbabilitiesOfATwoByTwoTableBesideTheLineOfLeastSquares) {
  const Dataset data = two_by_two();
  const auto made = picture(fitted(data), data);
  ASSERT_TRUE(made) << made.error().text();
  const auto lines = layers_of<Line>(*made);
  ASSERT_EQ(lines.size(), 2U);
  for (const Line* line : lines) { // with two values of x both go through the shares
    EXPECT_NEAR(at(*line, 0), 0.25, 1e-4);
    EXPECT_NEAR(at(*line, 1), 0.75, 1e-4);
  }
  EXPECT_NEAR(at(*lines[0], 1.04), 0.77, 1e-12); // straight: 0.25 + x / 2
  EXPECT_LT(at(*lines[1], 1.04), 0.77);          // and bent
  EXPECT_EQ(layers_of<Points>(*made)[0]->y, (std::vector<double>{0, 0, 0, 1, 0, 1, 1, 1}));
  EXPECT_TRUE(svg(*made));
}

TEST(ClassRegions, AreWhereTheModelPredictsEachClass) {
  const Dataset data = plane();
  const Model model = fitted(data, 0.1);
  const auto made = picture(model, data);
  ASSERT_TRUE(made) << made.error().text();
  const auto fields = layers_of<Field>(*made);
  ASSERT_EQ(fields.size(), 3U); // two classes and the lines beside the border
  for (const Index i : {0, 40, 97, 160})
    for (const Index j : {0, 33, 120}) {
      const Field& f = *fields[0];
      const double x = f.left + (f.right - f.left) * static_cast<double>(i) / static_cast<double>(f.columns - 1);
      const double y = f.bottom + (f.top - f.bottom) * static_cast<double>(j) / static_cast<double>(f.rows - 1);
      const Dataset one = table({{"a", {x}}, {"b", {y}}});
      const double place = (*model.predict(one))[0];
      const auto k = static_cast<std::size_t>(i + j * f.columns);
      EXPECT_EQ(fields[static_cast<std::size_t>(place)]->values[k] <= 0, true);
      EXPECT_EQ(fields[static_cast<std::size_t>(1 - place)]->values[k] >= 0, true);
    }
  EXPECT_EQ(layers_of<Points>(*made)[1]->x.size(), 4U);
  EXPECT_TRUE(svg(*made));
}

TEST(ClassRegions, OfAPerceptronHaveTheMarginOfTheNearestRows) {
  const Dataset data = table({{"a", {0, 1, 3, 4}}, {"b", {0, 1, 1, 0}}, {"y", {0, 0, 1, 1}}});
  const auto model = recta::fit("perceptron", data, {.target = {"y"}});
  ASSERT_TRUE(model) << model.error().text();
  const auto scores = *model->predict(data, 0, Answer::decision);
  const double nearest = std::min({-scores[0], -scores[1], scores[2], scores[3]});
  ASSERT_GT(nearest, 0);
  const auto made = picture(*model, data, "regions");
  ASSERT_TRUE(made) << made.error().text();
  const Field& beside = *layers_of<Field>(*made)[2];
  EXPECT_EQ(beside.levels, (std::vector<double>{-nearest, nearest}));
  EXPECT_THAT(beside.label, HasSubstr("the margin, "));
}

TEST(ClassProbabilities, AreSharesOfEveryClassByItself) {
  const Dataset data = two_by_two();
  const auto made = picture(fitted(data), data, "probabilities");
  ASSERT_TRUE(made) << made.error().text();
  const auto bands = layers_of<Band>(*made);
  ASSERT_EQ(bands.size(), 2U);
  for (const Band* band : bands) // every step has two ends
    EXPECT_NEAR(std::accumulate(band->high.begin(), band->high.end(), 0.0), 2, 1e-12);
  const auto share = [&](const Band& band, double p) { // of the bin that p lies in
    return band.high[static_cast<std::size_t>(2 * static_cast<int>(p * 20))];
  };
  const double low = std::max(share(*bands[1], 0.249), share(*bands[1], 0.251));
  const double high = std::max(share(*bands[1], 0.749), share(*bands[1], 0.751));
  EXPECT_NEAR(low, 0.25, 1e-12);
  EXPECT_NEAR(high, 0.75, 1e-12);
}

TEST(ClassPictures, SayWhatTheyCannotBe) {
  const Dataset data = plane();
  const Model model = fitted(data, 0.1);
  EXPECT_THAT(picture(model, data, "residuals").error().text(), HasSubstr("predicts classes"));
  EXPECT_THAT(picture(model, data, "curve").error().text(), HasSubstr("one column"));
  EXPECT_THAT(picture(fitted(two_by_two()), two_by_two(), "regions").error().text(), HasSubstr("two columns"));
  EXPECT_THAT(picture(model, table({{"a", {1}}, {"b", {2}}})).error().text(), HasSubstr("no column \"y\""));
  const auto linear = recta::fit("linear", data, {.target = {"y"}});
  ASSERT_TRUE(linear);
  EXPECT_THAT(picture(*linear, data, "regions").error().text(), HasSubstr("predicts numbers"));
}
