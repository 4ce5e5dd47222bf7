// Scores below the rounding of their own terms: 0.1 + 0.2 - 0.3 is 5.6e-17 in doubles.
#include "model/linear/body.hpp"

#include <recta/model.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace recta {
namespace {

using testing::Each;
using testing::ElementsAre;

Model scorer(const std::string& word, std::vector<std::string> labels, const std::vector<Values>& weights) {
  Model model;
  model.word = word;
  model.schema.classes.weight.assign(labels.size(), 1.0);
  model.schema.classes.labels = std::move(labels);
  model.schema.targets = {"y"};
  for (std::size_t j = 0; j < weights[0].size(); ++j)
    model.schema.columns.emplace_back().name = "x" + std::to_string(j);
  for (const Values& w : weights) {
    TargetFit& fit = own_linear(model).targets.emplace_back();
    for (const double value : w) fit.coefficients.push_back({.feature = "x", .value = value});
  }
  return model;
}

Values asked(const Model& model, const Values& x, Answer answer) {
  const auto cols = static_cast<Index>(model.schema.columns.size());
  auto found = model.predict(MatrixView::row_major(x.data(), static_cast<Index>(x.size()) / cols, cols), 1, answer);
  EXPECT_TRUE(found) << found.error().text();
  return *std::move(found);
}

TEST(Ties, AreScoresBelowTheRoundingOfTheirTerms) {
  for (const double sign : {1.0, -1.0}) {
    Model model = scorer("logistic", {"no", "yes"}, {{sign, sign, -sign}});
    const Values x{0.1, 0.2, 0.3, 0.3, -0.1, 0.2, 1e300, 2e300, 3e300, 1e-290, 2e-290, 3e-290};
    ASSERT_NE(0.1 + 0.2 - 0.3, 0);
    EXPECT_THAT(asked(model, x, Answer::decision), Each(0));
    EXPECT_THAT(asked(model, x, Answer::distance), Each(0));
    EXPECT_THAT(asked(model, x, Answer::probability), Each(0.5));
    EXPECT_THAT(asked(model, x, Answer::prediction), Each(1));
    model.schema.classes.positive = 0;
    EXPECT_THAT(asked(model, x, Answer::prediction), Each(0));
  }
}

TEST(Ties, CountTheIntercept) {
  Model model = scorer("logistic", {"no", "yes"}, {{-1.0, -1.0}});
  own_linear(model).targets[0].intercept.value = 0.3;
  EXPECT_THAT(asked(model, {0.1, 0.2}, Answer::decision), ElementsAre(0));
}

TEST(Ties, AreNoScoresThatAreSmallByThemselves) {
  const Model model = scorer("logistic", {"no", "yes"}, {{1, -1}});
  // 2^-49 of terms of size 2 is above 2^-51 of them, 2^-50 is not; a large row beside small ones changes nothing.
  const Values x{1 + 0x1p-49, 1, 1, 1 + 0x1p-49, 1 + 0x1p-50, 1, 0, 1e-20, 1e300, 0, 5e-324, 0};
  EXPECT_THAT(asked(model, x, Answer::decision), ElementsAre(0x1p-49, -0x1p-49, 0, -1e-20, 1e300, 5e-324));
  EXPECT_THAT(asked(model, x, Answer::prediction), ElementsAre(1, 0, 1, 0, 1, 1));
}

TEST(Ties, OfSeveralClassesGoToTheFirst) {
  const Model model = scorer("softmax", {"a", "b", "c"}, {{0, 0, 1}, {1, 1, 0}, {-1, -1, -1}});
  const Values x{0.1, 0.2, 0.3}; // the scores of a and b: 0.3 and the double above
  ASSERT_GT(0.1 + 0.2, 0.3);
  const Values z = asked(model, x, Answer::decision), p = asked(model, x, Answer::probability);
  EXPECT_EQ(z[0], z[1]);
  EXPECT_EQ(p[0], p[1]);
  EXPECT_LT(p[2], p[0]);
  EXPECT_THAT(asked(model, x, Answer::prediction), ElementsAre(0));
  EXPECT_THAT(asked(model, {0.1, 0.2 + 0x1p-49, 0.3}, Answer::prediction), ElementsAre(1));
}

TEST(Ties, AreNotMadeByAClassThatLiesInfinitelyLow) {
  Model model = scorer("softmax", {"a", "b", "c"}, {{0}, {1}, {-1}});
  own_linear(model).targets[0].intercept.value = -std::numeric_limits<double>::infinity();
  EXPECT_THAT(asked(model, {0}, Answer::probability), ElementsAre(0, 0.5, 0.5));
  EXPECT_THAT(asked(model, {-1, 1}, Answer::prediction), ElementsAre(2, 1));
  Model two = scorer("logistic", {"no", "yes"}, {{1}});
  own_linear(two).targets[0].intercept.value = -std::numeric_limits<double>::infinity();
  EXPECT_THAT(asked(two, {5}, Answer::probability), ElementsAre(1, 0));
}

TEST(Ties, AreNotMadeByProbabilitiesThatRoundAlike) {
  const Model model = scorer("softmax", {"a", "b", "c"}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  const Values x{1e-20, 2e-20, 0}, p = asked(model, x, Answer::probability);
  EXPECT_THAT(asked(model, x, Answer::prediction), ElementsAre(1));
  EXPECT_GT(p[1], p[0]);
  EXPECT_GT(p[1], p[2]);
}

TEST(Ties, AreTheSameInEveryLayout) {
  const Model model = scorer("logistic", {"no", "yes"}, {{1, 1, -1}});
  const Values by_column{0.1, 0.5, 0.2, 0.25, 0.3, 0.75 + 0x1p-52};
  auto found = model.predict(MatrixView::col_major(by_column.data(), 2, 3), 1, Answer::decision);
  ASSERT_TRUE(found);
  EXPECT_THAT(*found, ElementsAre(0, 0));
  const std::int64_t start[] = {0, 3, 6}, index[] = {0, 1, 2, 0, 1, 2};
  const Values value{0.1, 0.2, 0.3, 0.5, 0.25, 0.75 + 0x1p-52};
  found = model.predict(SparseView{2, 3, start, index, value.data()}, 1, Answer::decision);
  ASSERT_TRUE(found);
  EXPECT_THAT(*found, ElementsAre(0, 0));
  const std::vector<float> narrow{1.0F, 0x1p-24F, 1.0F}; // a sum that floats would round
  found = model.predict(MatrixView{narrow.data(), 1, 3, 3, 1, Scalar::float32}, 1, Answer::decision);
  ASSERT_TRUE(found);
  EXPECT_THAT(*found, ElementsAre(0x1p-24));
}

} // namespace
} // namespace recta
