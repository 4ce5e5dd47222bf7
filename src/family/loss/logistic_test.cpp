// Logistic regression from arrays.
#include "model/linear/body.hpp"

#include <recta/recta.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Data {
  std::vector<double> x, y, v = {};
};

Arrays arrays(const Data& data) {
  Arrays out;
  const auto n = static_cast<Index>(data.y.size());
  out.dense = MatrixView::row_major(data.x.data(), n, static_cast<Index>(data.x.size()) / n);
  out.y = MatrixView::vector(data.y.data(), n);
  if (!data.v.empty()) out.weights = data.v.data();
  return out;
}

const Data kTable{{0, 0, 1, 1}, {3, 8, 3, 8}, {6, 2, 3, 5}}; // counts of a 2 x 2 table as weights

TEST(Logistic, LearnsTheLabelsOfArrays) {
  const auto model = fit("logistic", arrays(kTable));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_THAT(model->schema.classes.labels, ElementsAre("3", "8"));
  EXPECT_THAT(model->schema.classes.weight, ElementsAre(9, 7));
  EXPECT_NEAR(model->linear()->targets[0].intercept.value, -std::log(3.0), 1e-14);
  EXPECT_NEAR(model->linear()->targets[0].coefficients[0].value, std::log(5.0), 1e-14);
  EXPECT_EQ(model->certificate.verdict, Verdict::proved);
  EXPECT_EQ(verify(*model, arrays(kTable))->verdict, Verdict::proved);
  const std::vector<double> x{0, 1};
  EXPECT_THAT(*model->predict(MatrixView::row_major(x.data(), 2, 1)), ElementsAre(0, 1));
  EXPECT_NEAR((*model->predict(MatrixView::row_major(x.data(), 2, 1), 1, Answer::probability))[3], 0.625, 1e-14);
  Data other = kTable;
  other.y[0] = 8;
  EXPECT_THAT(verify(*model, arrays(other)).error().text(), HasSubstr("not the training data"));
  other.y[0] = 5;
  EXPECT_THAT(verify(*model, arrays(other)).error().text(), HasSubstr("the class \"5\" was not seen in training"));
}

TEST(Logistic, TakesLabelsInWords) {
  Data places = kTable;
  places.y = {0, 1, 0, 1};
  Arrays named = arrays(places);
  named.classes.labels = {"no", "yes"};
  const auto model = fit("logistic", named, {.positive = "no"});
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_THAT(model->schema.classes.labels, ElementsAre("no", "yes"));
  EXPECT_NEAR(model->linear()->targets[0].coefficients[0].value, -std::log(5.0), 1e-14);
  EXPECT_EQ(verify(*model, named)->verdict, Verdict::proved);
  places.y[3] = 2;
  EXPECT_THAT(fit("logistic", named).error().text(),
              HasSubstr("row 4: y is 2; with labels given it is a place among them"));
}

TEST(Logistic, HasZerosFromTheGreatestPenaltyOn) {
  const auto at = [](double lambda1) {
    auto model = fit("logistic", arrays(kTable), {.params = {{"lambda1", lambda1}}});
    EXPECT_TRUE(model);
    EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
    return *std::move(model);
  };
  const double most = at(0.01).linear()->targets[0].lambda1_max;
  EXPECT_NEAR(most, 3.0 / 32, 1e-15); // |sum s x (p - y)| = |8 * 7/16 - 5| / 16
  EXPECT_EQ(at(most * 1.0001).linear()->targets[0].nonzero(), 0);
  EXPECT_EQ(at(most * 0.9999).linear()->targets[0].nonzero(), 1);
}

// A table has as many cells as coefficients: Firth's correction then adds 1/2 to every count.
TEST(Logistic, WithFirthsCorrectionAddsHalvesToATable) {
  for (const auto& counts : {std::vector<double>{6, 2, 3, 5}, {3, 0, 1, 2}, {40, 0, 0, 70}, {1, 1, 1, 1000}}) {
    Data table = kTable;
    table.v = counts;
    const auto model = fit("logistic", arrays(table), {.params = {{"firth", true}}});
    ASSERT_TRUE(model) << model.error().text();
    const TargetFit& found = model->linear()->targets[0];
    const double at_zero = std::log((counts[1] + 0.5) / (counts[0] + 0.5));
    const double at_one = std::log((counts[3] + 0.5) / (counts[2] + 0.5));
    EXPECT_NEAR(found.intercept.value, at_zero, 1e-11);
    EXPECT_NEAR(found.coefficients[0].value, at_one - at_zero, 1e-11);
    EXPECT_TRUE(std::holds_alternative<Stationary>(model->certificate.claim));
    EXPECT_EQ(model->certificate.verdict, Verdict::within_tolerance) << model->certificate.sentence();
    EXPECT_EQ(verify(*model, arrays(table))->verdict, Verdict::within_tolerance);
    EXPECT_GT(found.coefficients[0].standard_error, 0);
    EXPECT_TRUE(std::isnan(model->linear()->classes.ratio));
  }
}

TEST(Logistic, RefusesFirthsCorrectionWhereItHasNone) {
  const auto refusal = [](Data data, const Params& params) {
    const auto model = fit("logistic", arrays(data), {.params = params});
    return model ? "fitted" : model.error().text();
  };
  EXPECT_THAT(refusal(kTable, {{"firth", true}, {"lambda", 0.1}}), HasSubstr("of the likelihood alone"));
  Data twice{{0, 0, 1, 2, 2, 4, 3, 6}, {0, 1, 0, 1}};
  EXPECT_THAT(refusal(twice, {{"firth", true}}), HasSubstr("columns are combinations of others"));
}

TEST(Logistic, RefutesAFirthFitThatWasChanged) {
  auto model = fit("logistic", arrays(kTable), {.params = {{"firth", true}}});
  ASSERT_TRUE(model);
  own_linear(*model).targets[0].coefficients[0].value += 1e-3;
  EXPECT_EQ(verify(*model, arrays(kTable))->verdict, Verdict::refuted);
}

TEST(Logistic, WeighsClassesByTheirFactors) {
  Data by_hand = kTable;
  by_hand.v = {6, 2 * 2.5, 3, 5 * 2.5};
  const auto expected = fit("logistic", arrays(by_hand), {.params = {{"lambda", 0.1}}});
  const auto model = fit("logistic", arrays(kTable), {.class_weights = {{"8", 2.5}}, .params = {{"lambda", 0.1}}});
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->linear()->targets[0].coefficients[0].value, expected->linear()->targets[0].coefficients[0].value);
  EXPECT_THAT(model->schema.classes.factor, ElementsAre(1, 2.5));
  EXPECT_THAT(model->schema.classes.weight, ElementsAre(9, 17.5));
  EXPECT_EQ(verify(*model, arrays(kTable))->verdict, Verdict::proved);
  EXPECT_FALSE(verify(*model, arrays(by_hand))); // other weights than those of training
  const auto again = Model::from_bytes(model->to_bytes(), "bytes");
  EXPECT_EQ(again->schema.classes.factor, model->schema.classes.factor);
  Data alone = kTable;
  alone.v = {};
  EXPECT_THAT(fit("logistic", arrays(alone), {.balanced = true})->schema.classes.factor, ElementsAre(1, 1));
}

// A table has as many cells as coefficients: its probabilities are shares, whatever classes weigh.
TEST(Logistic, CorrectsTheProbabilitiesOfWeighedClasses) {
  const auto model = fit("logistic", arrays(kTable), {.balanced = true});
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_THAT(model->schema.classes.factor, ElementsAre(16.0 / 18, 16.0 / 14));
  const std::vector<double> x{0, 1};
  const Values p = *model->predict(MatrixView::row_major(x.data(), 2, 1), 1, Answer::corrected);
  EXPECT_NEAR(p[1], 0.25, 1e-13);
  EXPECT_NEAR(p[3], 0.625, 1e-13);
  const Values fitted = *model->predict(MatrixView::row_major(x.data(), 2, 1), 1, Answer::probability);
  EXPECT_NEAR(fitted[1], 2 * 9.0 / (2 * 9.0 + 6 * 7.0), 1e-13);
}

TEST(Logistic, RefusesClassWeightsThatMeanNothing) {
  const auto refusal = [](const std::string& word, const FitOptions& options) {
    const auto model = fit(word, arrays(kTable), options);
    return model ? "fitted" : model.error().text();
  };
  EXPECT_THAT(refusal("logistic", {.class_weights = {{"7", 2.0}}}), HasSubstr("there is no class \"7\""));
  EXPECT_THAT(refusal("logistic", {.class_weights = {{"8", 0.0}}}), HasSubstr("the factor of class \"8\" is 0"));
  EXPECT_THAT(refusal("logistic", {.class_weights = {{"8", 2.0}}, .balanced = true}), HasSubstr("give one of them"));
  EXPECT_THAT(refusal("linear", {.balanced = true}), HasSubstr("it predicts numbers"));
}

TEST(Logistic, OfThreeClassesIsRefused) {
  Data three = kTable;
  three.y[0] = 1;
  EXPECT_THAT(fit("logistic", arrays(three)).error().text(), HasSubstr("there are 3 classes"));
  three.y = {1, 1, 1, 1};
  EXPECT_THAT(fit("logistic", arrays(three)).error().text(), HasSubstr("every row is \"1\""));
}

} // namespace
} // namespace recta
