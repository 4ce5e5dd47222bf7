// Decisions by cost, of models whose scores are the columns themselves.
#include "base/random.hpp"
#include "model/linear/body.hpp"

#include <recta/decide.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Model scorer(std::vector<std::string> labels) {
  Model model;
  model.word = labels.size() == 2 ? "logistic" : "softmax";
  const std::size_t scores = labels.size() == 2 ? 1 : labels.size();
  model.schema.classes.labels = std::move(labels);
  model.schema.classes.weight.assign(model.schema.classes.labels.size(), 1.0);
  model.schema.columns.resize(scores);
  model.schema.targets = {"y"};
  for (std::size_t t = 0; t < scores; ++t) {
    TargetFit& fit = own_linear(model).targets.emplace_back();
    for (std::size_t j = 0; j < scores; ++j) fit.coefficients.push_back({.feature = "x", .value = t == j ? 1.0 : 0.0});
  }
  return model;
}

MatrixView view(const Model& model, const std::vector<double>& x) {
  const auto cols = static_cast<Index>(model.linear()->targets.size());
  return MatrixView::row_major(x.data(), static_cast<Index>(x.size()) / cols, cols);
}

double logit(double p) {
  return std::log(p / (1 - p));
}

TEST(Decide, TakesTheClassOfTheLeastExpectedCost) {
  const Model model = scorer({"ill", "well"}); // scores are of "well"
  const auto costs = costs_of_missing(model, {{"ill", 20}});
  ASSERT_TRUE(costs);
  EXPECT_THAT(costs->each, ElementsAre(0, 20, 1, 0));
  const std::vector<double> x{logit(0.94), logit(0.96)}; // ill from 1/21 on
  EXPECT_THAT(*decide(model, view(model, x), *costs), ElementsAre(0, 1));
  EXPECT_THAT(*model.predict(view(model, x)), ElementsAre(1, 1));
}

TEST(Decide, UsesProbabilitiesWithoutTheFactorsOfClasses) {
  Model model = scorer({"ill", "well"});
  model.schema.classes.factor = {10, 1};
  const std::vector<double> x{0}; // 10 : 1 for "well" in the rows as they came
  EXPECT_THAT(*decide(model, view(model, x), *costs_of_missing(model, {})), ElementsAre(1));
  EXPECT_THAT(*decide(model, view(model, x), *costs_of_missing(model, {{"ill", 11}})), ElementsAre(0));
}

TEST(Decide, WithCostOneForEveryErrorIsThePrediction) {
  Random random(3);
  for (const auto& labels : {std::vector<std::string>{"a", "b"}, {"a", "b", "c"}, {"a", "b", "c", "d", "e"}}) {
    const Model model = scorer(labels);
    std::vector<double> x;
    for (int i = 0; i < 3000; ++i) {
      const double z = std::round(4 * random.normal()) / 2; // ties are many
      x.push_back(i % 7 == 0 ? z * 1e-17 : z);
    }
    x.resize(x.size() / model.linear()->targets.size() * model.linear()->targets.size());
    EXPECT_EQ(*decide(model, view(model, x), *costs_of_missing(model, {})), *model.predict(view(model, x)));
  }
}

Dataset table(std::vector<std::string> labels, std::vector<std::string> names,
              std::vector<std::vector<double>> values) {
  Dataset data;
  data.source = "costs.csv";
  data.rows = static_cast<Index>(labels.size());
  Column first;
  first.name = "true";
  first.type = ColumnType::category;
  for (std::size_t i = 0; i < labels.size(); ++i) first.codes.push_back(static_cast<std::int32_t>(i));
  first.levels = std::move(labels);
  data.columns.push_back(std::move(first));
  for (std::size_t c = 0; c < names.size(); ++c) {
    Column column;
    column.name = names[c];
    column.values.assign(values[c].begin(), values[c].end());
    data.columns.push_back(std::move(column));
  }
  return data;
}

TEST(Decide, ReadsItsCostsFromATable) {
  const Model model = scorer({"a", "b", "c"});
  const auto costs = costs_of(model, table({"c", "a", "b"}, {"b", "a", "c"}, {{1, 2, 0}, {3, 0, 4}, {0, 5, 6}}));
  ASSERT_TRUE(costs) << costs.error().text();
  EXPECT_THAT(costs->each, ElementsAre(0, 2, 5, 4, 0, 6, 3, 1, 0));
  const auto refusal = [&](const Dataset& data) { return costs_of(model, data).error().text(); };
  EXPECT_THAT(refusal(table({"a", "b"}, {"a", "b"}, {{0, 1}, {1, 0}})), HasSubstr("there are 3 classes"));
  EXPECT_THAT(refusal(table({"a", "b", "d"}, {"a", "b", "c"}, {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}})),
              HasSubstr("costs.csv, row 3, column a: the class \"d\" was not seen in training"));
  EXPECT_THAT(refusal(table({"a", "b", "b"}, {"a", "b", "c"}, {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}})),
              HasSubstr("what \"a\" costs for \"c\" is missing"));
  EXPECT_THAT(refusal(table({"a", "b", "c"}, {"a", "b", "c"}, {{0, std::nan(""), 1}, {1, 0, 1}, {1, 1, 0}})),
              HasSubstr("row 2, column a: the cost is not a number"));
}

TEST(Decide, RefusesWhatItCannotWeigh) {
  Model model = scorer({"a", "b"});
  const std::vector<double> x{0};
  EXPECT_THAT(decide(model, view(model, x), {{1, 2, 3}}).error().text(), HasSubstr("give 2 x 2"));
  EXPECT_THAT(decide(model, view(model, x), {{0, INFINITY, 1, 0}}).error().text(),
              HasSubstr("taking \"b\" for \"a\" costs inf"));
  EXPECT_THAT(costs_of_missing(model, {{"z", 1}}).error().text(), HasSubstr("there is no class \"z\""));
  model.word = "perceptron";
  EXPECT_THAT(decide(model, view(model, x), {{0, 1, 1, 0}}).error().text(), HasSubstr("has no probabilities"));
}

} // namespace
} // namespace recta
