// Labels, scores and probabilities of a model whose scores are the columns themselves.
#include "model/linear/body.hpp"

#include <recta/model.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Model scorer(const std::string& word, std::vector<std::string> labels, Index scores) {
  Model model;
  model.word = word;
  model.schema.classes.labels = std::move(labels);
  model.schema.classes.weight.assign(model.schema.classes.labels.size(), 1.0);
  model.schema.targets = {"y"};
  for (Index t = 0; t < scores; ++t) {
    TargetFit& fit = own_linear(model).targets.emplace_back();
    for (Index j = 0; j < scores; ++j) {
      model.schema.columns.resize(static_cast<std::size_t>(scores));
      model.schema.columns[static_cast<std::size_t>(j)].name = "x" + std::to_string(j);
      fit.coefficients.push_back({.feature = "x", .value = t == j ? 1.0 : 0.0});
    }
  }
  return model;
}

Values asked(const Model& model, const std::vector<double>& x, Answer answer) {
  const auto cols = static_cast<Index>(model.linear()->targets.size());
  auto found = model.predict(MatrixView::row_major(x.data(), static_cast<Index>(x.size()) / cols, cols), 1, answer);
  EXPECT_TRUE(found) << found.error().text();
  return *std::move(found);
}

TEST(ClassAnswers, OfTwoClassesComeFromOneScore) {
  Model model = scorer("logistic", {"no", "yes"}, 1);
  const std::vector<double> z{-2, 0, std::log(3.0), 1e-20, -1e-20, 800, -800};
  EXPECT_THAT(asked(model, z, Answer::prediction), ElementsAre(0, 1, 1, 1, 0, 1, 0));
  EXPECT_THAT(asked(model, z, Answer::decision), testing::ElementsAreArray(z));
  const Values p = asked(model, z, Answer::probability);
  EXPECT_DOUBLE_EQ(p[1], 0.11920292202211755);
  EXPECT_DOUBLE_EQ(p[0], 0.88079707797788243);
  EXPECT_THAT((std::vector{p[2], p[3]}), ElementsAre(0.5, 0.5));
  EXPECT_DOUBLE_EQ(p[5], 0.75);
  EXPECT_LT(p[6], p[7]); // near a tie the class that is taken has the larger one
  EXPECT_GT(p[8], p[9]);
  EXPECT_THAT((std::vector{p[10], p[11], p[12], p[13]}), ElementsAre(0, 1, 1, 0));
  model.schema.classes.positive = 0;
  EXPECT_THAT(asked(model, z, Answer::prediction), ElementsAre(1, 0, 0, 0, 1, 0, 1));
  EXPECT_DOUBLE_EQ(asked(model, z, Answer::probability)[0], 0.11920292202211755);
}

TEST(ClassAnswers, CorrectedLoseTheFactorsOfTheClasses) {
  Model two = scorer("logistic", {"no", "yes"}, 1);
  two.schema.classes.factor = {2, 6}; // odds of yes are three times those of the rows as they came
  Values p = asked(two, {std::log(3.0)}, Answer::corrected);
  EXPECT_DOUBLE_EQ(p[0], 0.5);
  EXPECT_DOUBLE_EQ(p[1], 0.5);
  two.schema.classes.positive = 0;
  EXPECT_DOUBLE_EQ(asked(two, {0}, Answer::corrected)[0], 0.75);
  Model three = scorer("softmax", {"a", "b", "c"}, 3);
  three.schema.classes.factor = {1, 2, 4};
  p = asked(three, {0, std::log(2.0), std::log(8.0)}, Answer::corrected); // 1 : 1 : 2
  EXPECT_DOUBLE_EQ(p[0], 0.25);
  EXPECT_DOUBLE_EQ(p[1], 0.25);
  EXPECT_DOUBLE_EQ(p[2], 0.5);
  EXPECT_THAT(asked(three, {0, 1, 0.5}, Answer::prediction), ElementsAre(1)); // of the probabilities as fitted
  three.schema.classes.factor = {};
  EXPECT_EQ(asked(three, {0, 1, 3}, Answer::corrected), asked(three, {0, 1, 3}, Answer::probability));
}

TEST(ClassAnswers, OfAnyScoresCanBeNormalised) {
  const Model model = scorer("perceptron", {"a", "b"}, 1);
  const Values p = asked(model, {std::log(3.0), -std::log(3.0)}, Answer::normalised);
  EXPECT_THAT(p, ElementsAre(testing::DoubleEq(0.25), testing::DoubleEq(0.75), testing::DoubleEq(0.75),
                             testing::DoubleEq(0.25)));
}

TEST(ClassAnswers, AskedForWhereThereAreNoneAreRefused) {
  Model model = scorer("perceptron", {"a", "b"}, 1);
  const double x = 1;
  const auto view = MatrixView::row_major(&x, 1, 1);
  EXPECT_THAT(model.predict(view, 1, Answer::probability).error().text(), HasSubstr("has no probabilities"));
  EXPECT_THAT(model.predict(view, 1, Answer::corrected).error().text(), HasSubstr("has no probabilities"));
  EXPECT_EQ(model.columns(Answer::decision), 1);
  model.schema.classes = {};
  model.word = "linear";
  EXPECT_THAT(model.predict(view, 1, Answer::probability).error().text(), HasSubstr("it predicts numbers"));
  EXPECT_THAT(model.predict(view, 1, Answer::decision).error().text(), HasSubstr("it predicts numbers"));
}

} // namespace
} // namespace recta
