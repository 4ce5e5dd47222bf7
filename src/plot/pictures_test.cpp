#include "data/test_table.hpp"
#include "model/linear/body.hpp"
#include "plot/test_layers.hpp"

#include <recta/estimator.hpp>
#include <recta/plot.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace recta::plot;
using recta::Dataset;
using recta::Model;
using recta::table;
using testing::HasSubstr;

namespace {

Model fitted(const Dataset& data, const std::string& word = "linear", recta::FitOptions options = {.target = {"y"}}) {
  auto model = recta::fit(word, data, options);
  EXPECT_TRUE(model) << model.error().text();
  return *model;
}

} // namespace

// x = 0, 1, 2, 3 and y = 0, 2, 1, 3: slope 0.8, intercept 0.3, RSS 1.8, sigma^2 0.9, Sxx 5, t(0.975, 2) = 4.302652730.
TEST(CurvePicture, HasTheBandsOfTheTextbook) {
  const Dataset data = table({{"x", {0, 1, 2, 3}}, {"y", {0, 2, 1, 3}}});
  const auto made = picture(fitted(data), data);
  ASSERT_TRUE(made) << made.error().text();
  const auto bands = layers_of<Band>(*made);
  const auto lines = layers_of<Line>(*made);
  ASSERT_EQ(bands.size(), 2U);
  ASSERT_EQ(lines.size(), 1U);
  constexpr double t = 4.302652729911275;
  for (std::size_t k = 0; k < lines[0]->x.size(); ++k) {
    const double x = lines[0]->x[k], z = 0.3 + 0.8 * x, v = 1.0 / 4 + (x - 1.5) * (x - 1.5) / 5;
    EXPECT_NEAR(lines[0]->y[k], z, 1e-12);
    EXPECT_NEAR(bands[0]->high[k], z + t * std::sqrt(0.9 * (1 + v)), 1e-9); // of a new row, behind
    EXPECT_NEAR(bands[1]->low[k], z - t * std::sqrt(0.9 * v), 1e-9);        // of the mean
  }
  EXPECT_EQ(lines[0]->x.front(), 0);
  EXPECT_EQ(lines[0]->x.back(), 3);
  EXPECT_EQ(layers_of<Points>(*made)[0]->y, (std::vector<double>{0, 2, 1, 3}));
  EXPECT_TRUE(svg(*made));
}

TEST(CurvePicture, WithoutAnInterceptHasNoWidthAtZero) {
  const Dataset data = table({{"x", {0, 1, 2, 3}}, {"y", {0.5, 2, 1, 3}}});
  const auto made = picture(fitted(data, "linear", {.target = {"y"}, .intercept = false}), data, "curve");
  ASSERT_TRUE(made) << made.error().text();
  const Band& mean = *layers_of<Band>(*made)[1];
  EXPECT_NEAR(mean.high[0] - mean.low[0], 0, 1e-12);
  EXPECT_GT(mean.high[100] - mean.low[100], 0.5);
}

TEST(CurvePicture, OfRidgeHasNoBandsAndOfTwoColumnsIsRefused) {
  const Dataset data = table({{"x", {0, 1, 2, 3}}, {"u", {1, 0, 2, 1}}, {"y", {0, 2, 1, 3}}});
  const Model ridge = fitted(data, "ridge", {.target = {"y"}, .ignore = {"u"}, .params = {{"lambda", 0.1}}});
  const auto made = picture(ridge, data);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_TRUE(layers_of<Band>(*made).empty());
  EXPECT_THAT(made->subtitle, HasSubstr("lambda = 0.1"));
  const auto refused = picture(fitted(data), data, "curve");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text(),
            "curve: the model reads 2 columns, and a curve is that of one column of numbers; draw residuals instead");
}

TEST(ResidualPicture, HasTargetLessFittedAgainstFitted) {
  const Dataset data = table({{"x", {0, 1, 2, 3}}, {"y", {0, 2, 1, 3}}});
  const auto made = picture(fitted(data), data, "residuals");
  ASSERT_TRUE(made) << made.error().text();
  const Points& points = *layers_of<Points>(*made)[0];
  const std::vector<double> z = {0.3, 1.1, 1.9, 2.7}, r = {-0.3, 0.9, -0.9, 0.3};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(points.x[i], z[i], 1e-12);
    EXPECT_NEAR(points.y[i], r[i], 1e-12);
  }
  EXPECT_NEAR(layers_of<Rule>(*made)[0]->at, 2 * std::sqrt(0.9), 1e-12);
}

TEST(ContourPicture, TouchesTheDiscAtTheWeightsOfRidge) {
  const Dataset data = table({{"a", {1, 2, 3, 4, 5, 7}}, {"b", {2, 1, 4, 3, 6, 2}}, {"y", {3, 1, 6, 5, 8, 9}}});
  for (const bool standardise : {false, true}) {
    const Model ridge =
        fitted(data, "ridge", {.target = {"y"}, .standardise = standardise, .params = {{"lambda", 0.8}}});
    const auto made = picture(ridge, data, "contours");
    ASSERT_TRUE(made) << made.error().text();
    const auto marks = layers_of<Mark>(*made);
    ASSERT_EQ(marks.size(), 2U);
    const auto& w = ridge.linear()->targets[0].coefficients;
    EXPECT_NEAR(marks[1]->x, standardise ? w[0].standardised : w[0].value, 1e-9);
    EXPECT_NEAR(marks[1]->y, standardise ? w[1].standardised : w[1].value, 1e-9);
    const auto best = fitted(data).linear()->targets[0].coefficients;
    EXPECT_NEAR(marks[0]->x, standardise ? best[0].standardised : best[0].value, 1e-9);
  }
}

TEST(ContourPicture, TouchesTheDiamondAtTheWeightsOfLassoAndElasticNet) {
  const Dataset data = table({{"a", {1, 2, 3, 4, 5, 7}}, {"b", {2, 1, 4, 3, 6, 2}}, {"y", {3, 1, 6, 5, 8, 9}}});
  const auto touched = [&](const char* word, const recta::Params& params, bool standardise) {
    const Model net = fitted(data, word, {.target = {"y"}, .standardise = standardise, .params = params});
    const auto made = picture(net, data, "contours");
    ASSERT_TRUE(made) << made.error().text();
    const auto marks = layers_of<Mark>(*made);
    ASSERT_EQ(marks.size(), 2U);
    const auto& w = net.linear()->targets[0].coefficients;
    EXPECT_NEAR(marks[1]->x, standardise ? w[0].standardised : w[0].value, 1e-7) << word;
    EXPECT_NEAR(marks[1]->y, standardise ? w[1].standardised : w[1].value, 1e-7) << word;
    EXPECT_EQ(layers_of<Region>(*made)[0]->x.size(), 4U) << word;
  };
  for (const bool standardise : {false, true}) {
    touched("lasso", {{"lambda", 0.4}}, standardise);
    touched("lasso", {{"lambda", 3.0}}, standardise); // at a corner
    touched("lasso", {{"psi", 0.9}}, standardise);
    touched("elastic-net", {{"lambda1", 0.3}, {"lambda2", 0.5}}, standardise);
  }
  const Model bounded =
      fitted(data, "lasso", {.target = {"y"}, .params = {{"lambda", 0.4}, {"penalty-factors", std::string("b=3")}}});
  EXPECT_TRUE(layers_of<Region>(*picture(bounded, data, "contours")).empty()); // no diamond
}

TEST(ContourPicture, IsRefusedWhereTheCostIsAnother) {
  const Dataset data = table({{"a", {1, 2, 3, 4, 5, 7}}, {"b", {2, 1, 4, 3, 6, 2}}, {"y", {3, 1, 6, 5, 8, 9}}});
  for (const char* word : {"huber", "quantile", "poisson", "group-lasso"}) {
    const auto made = picture(fitted(data, word, {.target = {"y"}}), data, "contours");
    ASSERT_FALSE(made) << word;
    EXPECT_THAT(made.error().text(), HasSubstr(std::string("the cost of ") + word)) << word;
  }
}

TEST(ContourPicture, OfOneFeatureIsOverInterceptAndWeight) {
  const Dataset data = table({{"x", {0, 1, 2, 3}}, {"y", {0, 2, 1, 3}}});
  const auto made = picture(fitted(data), data, "contours");
  ASSERT_TRUE(made) << made.error().text();
  const Mark& best = *layers_of<Mark>(*made)[0];
  EXPECT_NEAR(best.x, 0.3, 1e-12);
  EXPECT_NEAR(best.y, 0.8, 1e-12);
  const Field& field = *layers_of<Field>(*made)[0];
  const double x = field.left, y = field.bottom; // the corner's value, summed over the rows
  double cost = 0;
  for (int i = 0; i < 4; ++i) cost += std::pow(data.columns[1].values[i] - x - y * data.columns[0].values[i], 2) / 8;
  EXPECT_NEAR(field.values[0], cost, 1e-9 * cost);
}

// Ridge of two weights, and a line with intercept: the field has the objective's own value at its corner.
TEST(DescentPicture, HasTheObjectiveAsItsCost) {
  const Dataset data = table({{"a", {1, 2, 3, 4, 5, 7}}, {"b", {2, 1, 4, 3, 6, 2}}, {"y", {3, 1, 6, 5, 8, 9}}});
  const Model ridge = fitted(data, "ridge", {.target = {"y"}, .intercept = false, .params = {{"lambda", 0.8}}});
  const auto made = descent_picture(ridge, data, {{{0, 0.5}, {0, 0.2}}});
  ASSERT_TRUE(made) << made.error().text();
  const Field& field = *layers_of<Field>(*made)[0];
  const double u = field.left, v = field.bottom;
  double cost = 0.8 / 2 * (u * u + v * v);
  for (int i = 0; i < 6; ++i)
    cost += std::pow(data.columns[2].values[i] - u * data.columns[0].values[i] - v * data.columns[1].values[i], 2) / 12;
  EXPECT_NEAR(field.values[0], cost, 1e-9 * cost);
  EXPECT_EQ(layers_of<Line>(*made)[0]->x, (std::vector<double>{0, 0.5}));

  const Dataset line = table({{"x", {0, 1, 2, 3}}, {"y", {0, 2, 1, 3}}});
  const Model scaled = fitted(line, "ridge", {.target = {"y"}, .standardise = true, .params = {{"lambda", 0.5}}});
  const auto plane = descent_picture(scaled, line, {{{0}, {0}}});
  ASSERT_TRUE(plane) << plane.error().text();
  const Field& at = *layers_of<Field>(*plane)[0];
  const double b = at.left, w = at.bottom, sd = std::sqrt(1.25);
  double scaled_cost = 0.25 * w * w;
  for (int i = 0; i < 4; ++i)
    scaled_cost += std::pow(line.columns[1].values[i] - b - w * (line.columns[0].values[i] - 1.5) / sd, 2) / 8;
  EXPECT_NEAR(at.values[0], scaled_cost, 1e-9 * scaled_cost);
}

// For classes the field has the sum over the rows at its corner; the intercept of logistic regression is the best one.
TEST(DescentPicture, HasTheCostsOfClasses) {
  const Dataset data = table({{"a", {0, 1, 0, 1, 2, 3}}, {"b", {0, 0, 1, 2, 1, 0}}, {"y", {0, 1, 0, 1, 0, 1}}});
  const auto mean = [&](const Field& f, double b, const auto& loss) {
    double sum = 0;
    for (std::size_t i = 0; i < 6; ++i)
      sum += loss((data.columns[2].values[i] > 0 ? 1 : -1) *
                  (f.left * data.columns[0].values[i] + f.bottom * data.columns[1].values[i] + b)) /
             6;
    return sum;
  };
  const auto field_of = [&](const std::string& word, const recta::Params& params, bool intercept, double& b) {
    const Model model = fitted(data, word, {.target = {"y"}, .intercept = intercept, .params = params});
    b = linear_or_none(model).targets[0].intercept.value;
    const auto made = descent_picture(model, data, {{{0, 0.5}, {0, 0.2}, "one"}, {{0, 0.1}, {0, 0.3}, "other"}});
    EXPECT_TRUE(made) << made.error().text();
    EXPECT_EQ(layers_of<Line>(*made)[1]->label, "other");
    return *layers_of<Field>(*made)[0];
  };
  double b = 0;
  const Field logistic = field_of("logistic", {{"lambda", 0.3}}, true, b);
  const auto log_loss = [](double m) { return std::log1p(std::exp(-m)); };
  double best = INFINITY;
  for (double at = -20; at <= 20; at += 1e-3) best = std::min(best, mean(logistic, at, log_loss));
  const double penalty = 0.15 * (logistic.left * logistic.left + logistic.bottom * logistic.bottom);
  EXPECT_NEAR(logistic.values[0], best + penalty, 1e-6);
  const Field perceptron = field_of("perceptron", {{"passes", 3.0}}, false, b);
  EXPECT_NEAR(perceptron.values[0], mean(perceptron, 0, [](double m) { return std::max(0.0, -m); }), 1e-12);
  const Field delta = field_of("delta", {{"passes", 3.0}}, true, b);
  EXPECT_NEAR(delta.values[0], mean(delta, b, [](double m) { return std::pow(1 / (1 + std::exp(m)), 2) / 2; }), 1e-12);
}

TEST(ModelPicture, RefusesAWordItDoesNotKnowAndRowsWithoutTargets) {
  const Dataset data = table({{"x", {0, 1, 2, 3}}, {"y", {0, 2, 1, 3}}});
  const Model model = fitted(data);
  EXPECT_EQ(picture(model, data, "pie").error().advice, "draw curve, residuals, contours, regions, probabilities");
  EXPECT_THAT(picture(model, table({{"x", {1, 2}}})).error().what, HasSubstr("\"y\", the model's target"));
  EXPECT_THAT(picture(model, table({{"x", {1, 2}}, {"y", {std::nan(""), std::nan("")}}})).error().what,
              HasSubstr("no row has a target"));
}

TEST(LossPicture, ScalesLossesToOneAtTheBoundary) {
  const auto made = loss_picture();
  ASSERT_TRUE(made) << made.error().text();
  const auto lines = layers_of<Line>(*made);
  ASSERT_EQ(lines.size(), 4U);                          // 0/1, squared, logistic, hinge
  const std::size_t zero = 200, one = 300, three = 500; // steps of 0.01 from -2
  for (std::size_t k = 1; k < 4; ++k) EXPECT_DOUBLE_EQ(lines[k]->y[zero], 1);
  EXPECT_DOUBLE_EQ(lines[1]->y[three], 4); // (1 - 3)^2: too good an answer is punished
  EXPECT_DOUBLE_EQ(lines[1]->y[one], 0);
  EXPECT_DOUBLE_EQ(lines[2]->y[0], std::log2(1 + std::exp(2.0)));
  EXPECT_DOUBLE_EQ(lines[3]->y[0], 3);
  EXPECT_EQ(loss_picture({"hing"}).error().advice, "did you mean \"hinge\"?");
}

TEST(PathPicture, DrawsTheLargestWeightLastAndNamesFourteen) {
  const auto made = path_picture({1, 0.1}, {0, 0, 0.5, -2}, {"small", "large"});
  ASSERT_TRUE(made) << made.error().text();
  const auto lines = layers_of<Line>(*made);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[1]->label, "large");
  EXPECT_EQ(lines[1]->y, (std::vector<double>{0, -2}));
  std::vector<std::string> names;
  for (int j = 0; j < 20; ++j) names.push_back("w" + std::to_string(j));
  const auto many = path_picture({1}, std::vector<double>(20, 1.0), names);
  ASSERT_TRUE(many);
  int named = 0;
  for (const Line* line : layers_of<Line>(*many)) named += !line->label.empty();
  EXPECT_EQ(named, 14);
  EXPECT_FALSE(path_picture({1, 2}, {1}, {"w"}));
  EXPECT_FALSE(path_picture({}, {}, {}));
}

TEST(TracePicture, IsLogarithmicWhereTheCostFallsByMoreThanTwoDecades) {
  EXPECT_EQ(trace_picture({10, 5, 4})->y.scale, Scale::linear);
  EXPECT_EQ(trace_picture({1000, 50, 1})->y.scale, Scale::log);
  EXPECT_EQ(trace_picture({1000, 50, 0})->y.scale, Scale::linear); // zero has no place on a logarithmic axis
  EXPECT_FALSE(trace_picture({}));
  const auto some = trace_picture({9, 4, 1}, kFromData, {0, 10, 20});
  EXPECT_EQ(layers_of<Line>(*some)[0]->x, (std::vector<double>{0, 10, 20}));
  EXPECT_FALSE(trace_picture({9, 4, 1}, kFromData, {0, 10}));
}

TEST(FamilyPicture, OfAnotherFamilyIsRefused) {
  const Dataset data = *recta::read("rings");
  const Model machine = *recta::fit("svm", data, {.target = {"class"}});
  EXPECT_TRUE(picture(machine, data, "margins"));
  for (const char* other : {"densities", "voronoi", "components", "no-such-picture"}) {
    const auto drawn = picture(machine, data, other);
    ASSERT_FALSE(drawn) << other;
    EXPECT_THAT(drawn.error().text(), HasSubstr("svm has no such picture"));
  }
}
