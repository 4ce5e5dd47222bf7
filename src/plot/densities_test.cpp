// Pictures of classes by their densities, their words and the pixels they expect.
#include "data/test_table.hpp"
#include "plot/test_layers.hpp"

#include <recta/estimator.hpp>
#include <recta/explain.hpp>
#include <recta/plot.hpp>

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>

using namespace recta::plot;
using recta::Dataset;
using recta::FitOptions;
using recta::Model;
using recta::table;
using testing::HasSubstr;

namespace {

Model fitted(const std::string& word, const Dataset& data, const recta::Params& params = {}) {
  FitOptions options;
  options.target = {"y"};
  options.params = params;
  auto model = recta::fit(word, data, options);
  EXPECT_TRUE(model) << model.error().text();
  return *model;
}

const recta::Params kGaussian = {{"likelihood", std::string("gaussian")}};

// Class 0 leans one way, class 1 the other.
Dataset plane() {
  return table({{"a", {0, 1, 2, 3, 4, 6, 7, 8, 9, 10}},
                {"b", {0, 2, 1, 4, 3, 9, 6, 7, 4, 4}},
                {"y", {0, 0, 0, 0, 0, 1, 1, 1, 1, 1}}});
}

} // namespace

// Means 1 and 5, variances 1, the same priors: the boundary is 3, and a peak is 1/2 / sqrt(2 pi).
TEST(Densities, OverOneColumnAreCurvesThatCrossAtTheBoundary) {
  const Dataset data = table({{"x", {0, 2, 4, 6}}, {"y", {0, 0, 1, 1}}});
  for (const std::string word : {"lda", "qda", "naive-bayes"}) {
    const auto made =
        picture(fitted(word, data, word == "naive-bayes" ? kGaussian : recta::Params{}), data, "densities");
    ASSERT_TRUE(made) << made.error().text();
    const auto lines = layers_of<Line>(*made);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_NEAR(*std::ranges::max_element(lines[0]->y), 0.5 / std::sqrt(2 * std::numbers::pi), 1e-3);
    const auto rules = layers_of<Rule>(*made);
    ASSERT_EQ(rules.size(), 1U) << word;
    EXPECT_NEAR(rules[0]->at, 3, 1e-9);
    EXPECT_TRUE(svg(*made));
  }
}

TEST(Densities, OverTwoColumnsAreEllipsesOfTheCovariances) {
  const Dataset data = plane();
  // In class 0 the sums of squares and products about the mean (2, 2) are 10, 10 and 8.
  const auto made = picture(fitted("qda", data), data, "densities");
  ASSERT_TRUE(made) << made.error().text();
  const auto lines = layers_of<Line>(*made);
  ASSERT_EQ(lines.size(), 4U); // half and 95 % of two classes
  const double xx = 2, yy = 2, xy = 1.6, determinant = xx * yy - xy * xy;
  for (const std::size_t which : {0U, 1U}) {
    const double square = -2 * std::log(which == 0 ? 0.5 : 0.05);
    for (std::size_t i = 0; i < lines[which]->x.size(); ++i) {
      const double u = lines[which]->x[i] - 2, v = lines[which]->y[i] - 2;
      EXPECT_NEAR((yy * u * u - 2 * xy * u * v + xx * v * v) / determinant, square, 1e-9);
    }
  }
  const auto marks = layers_of<Mark>(*made);
  ASSERT_EQ(marks.size(), 2U);
  EXPECT_EQ(marks[1]->x, 8);
  EXPECT_EQ(marks[1]->y, 6);
  EXPECT_EQ(layers_of<Field>(*made).size(), 2U); // the regions, with the boundary between them
  EXPECT_TRUE(svg(*made));
}

TEST(Densities, OfNaiveBayesStandUpright) {
  const Dataset data = plane();
  const auto made = picture(fitted("naive-bayes", data, kGaussian), data, "densities");
  ASSERT_TRUE(made) << made.error().text();
  const Line& inner = *layers_of<Line>(*made)[0];
  for (std::size_t i = 0; i < inner.x.size(); ++i)
    EXPECT_NEAR((inner.x[i] - 2) * (inner.x[i] - 2) / 2 + (inner.y[i] - 2) * (inner.y[i] - 2) / 2, -2 * std::log(0.5),
                1e-7);
}

TEST(Densities, AreRefusedForOtherColumns) {
  const Dataset three = table({{"a", {0, 1, 2, 3}}, {"b", {0, 1, 0, 1}}, {"c", {1, 0, 0, 1}}, {"y", {0, 0, 1, 1}}});
  EXPECT_THAT(picture(fitted("naive-bayes", three, kGaussian), three, "densities").error().text(),
              HasSubstr("one or two columns of numbers"));
  const Dataset two = table({{"a", {0, 1, 2, 3}}, {"b", {0, 1, 0, 1}}, {"y", {0, 0, 1, 1}}});
  const Model counts = fitted("naive-bayes", two, {{"likelihood", std::string("multinomial")}});
  EXPECT_THAT(picture(counts, two, "densities").error().text(), HasSubstr("a column is multinomial"));
  const auto weights = recta::as_linear(fitted("lda", two));
  ASSERT_TRUE(weights) << weights.error().text();
  EXPECT_FALSE(picture(*weights, two, "densities"));
}

// Manning, Raghavan, Schuetze (2008), example 13.1: P(Chinese | c) = 6/14, of the other class 2/9.
TEST(Words, HaveTheirLogOddsAndTheirClasses) {
  const Dataset data = table({{"Beijing", {1, 0, 0, 0}},
                              {"Chinese", {2, 2, 1, 1}},
                              {"Japan", {0, 0, 0, 1}},
                              {"Macao", {0, 0, 1, 0}},
                              {"Shanghai", {0, 1, 0, 0}},
                              {"Tokyo", {0, 0, 0, 1}},
                              {"y", {1, 1, 1, 0}}});
  const auto made = picture(fitted("naive-bayes", data, {{"likelihood", std::string("multinomial")}}), data, "words");
  ASSERT_TRUE(made) << made.error().text();
  const auto chinese = std::ranges::find(made->y.names, "Chinese");
  ASSERT_NE(chinese, made->y.names.end());
  const auto place = static_cast<double>(chinese - made->y.names.begin());
  bool found = false;
  for (const Line* line : layers_of<Line>(*made))
    if (line->y[0] == place) {
      found = true;
      EXPECT_NEAR(line->x[1], std::log(6.0 / 14 * 9 / 2), 1e-12);
      EXPECT_EQ(line->colour, 1);
    }
  EXPECT_TRUE(found);
  EXPECT_TRUE(svg(*made));
  const Dataset numbers = table({{"a", {0, 1, 2, 3}}, {"y", {0, 0, 1, 1}}});
  EXPECT_THAT(picture(fitted("naive-bayes", numbers, kGaussian), numbers, "words").error().text(),
              HasSubstr("no column has words"));
}

TEST(Pixels, AreTheMeansOfEachClassFromTheTop) {
  const Dataset data = table(
      {{"p1", {0, 2, 7, 9}}, {"p2", {1, 3, 5, 7}}, {"p3", {2, 4, 3, 5}}, {"p4", {3, 5, 1, 3}}, {"y", {0, 0, 1, 1}}});
  for (const std::string word : {"naive-bayes", "nearest-centroid"}) {
    const auto made = picture(fitted(word, data, word == "naive-bayes" ? kGaussian : recta::Params{}), data, "pixels");
    ASSERT_TRUE(made) << made.error().text();
    const auto cells = layers_of<Cells>(*made);
    ASSERT_EQ(cells.size(), 2U);
    EXPECT_EQ(cells[0]->columns, 2);
    const std::vector<double> bottom_up = {3, 4, 1, 2}; // the last two pixels are the lower row
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(cells[0]->values[i], bottom_up[i], 1e-12);
    EXPECT_EQ(made->x.names, (std::vector<std::string>{"0", "1"}));
    EXPECT_TRUE(svg(*made));
  }
  const Dataset three = table({{"a", {0, 1, 2, 3}}, {"b", {0, 1, 0, 1}}, {"c", {1, 0, 0, 1}}, {"y", {0, 0, 1, 1}}});
  EXPECT_THAT(picture(fitted("naive-bayes", three, kGaussian), three, "pixels").error().text(),
              HasSubstr("3 columns of numbers are not the pixels of a square"));
}

// Bernoulli: P(1) = (n1 + 1) / (n + 2); categorical: the mean of the levels.
TEST(Pixels, OfBitsAreProbabilities) {
  const Dataset data = table(
      {{"p1", {0, 1, 1, 1}}, {"p2", {0, 0, 1, 0}}, {"p3", {1, 1, 0, 0}}, {"p4", {0, 1, 0, 1}}, {"y", {0, 0, 1, 1}}});
  const auto bits = picture(fitted("naive-bayes", data, {{"likelihood", std::string("bernoulli")}}), data, "pixels");
  ASSERT_TRUE(bits) << bits.error().text();
  const auto levels =
      picture(fitted("naive-bayes", data, {{"likelihood", std::string("categorical")}}), data, "pixels");
  ASSERT_TRUE(levels) << levels.error().text();
  for (const auto& made : {bits, levels}) {
    const Cells& first = *layers_of<Cells>(*made)[0];
    EXPECT_NEAR(first.values[0], 0.75, 1e-12);
    EXPECT_NEAR(first.values[1], 0.5, 1e-12);
    EXPECT_NEAR(first.values[3], 0.25, 1e-12);
  }
}
