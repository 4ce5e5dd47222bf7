// Rules for decisions: chosen on rows not seen, kept in the file, followed by decide().
#include <recta/recta.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::HasSubstr;

Dataset patients(Index first, Index rows, std::size_t classes) {
  Column a, b, label;
  a.name = "a", b.name = "b", label.name = "state";
  label.type = ColumnType::category;
  label.levels =
      classes == 2 ? std::vector<std::string>{"ill", "well"} : std::vector<std::string>{"dying", "ill", "well"};
  for (Index i = first; i < first + rows; ++i) {
    const auto t = static_cast<double>(i);
    a.values.push_back(std::sin(3 * t + 1)), b.values.push_back(std::cos(5 * t));
    const double z = a.values.back() - b.values.back() + 0.8 * std::cos(7 * t * t);
    label.codes.push_back(classes == 2 ? (z > -0.8 ? 1 : 0) : z < -1 ? 0 : z < 0.2 ? 1 : 2);
  }
  Dataset data;
  data.rows = rows, data.source = "patients";
  data.columns = {a, b, label};
  return data;
}

TEST(ChooseDecision, IsKeptInTheFileAndFollowed) {
  const Dataset train = patients(0, 200, 2), other = patients(500, 150, 2);
  for (const char* word : {"logistic", "naive-bayes", "svm"}) { // naive Bayes has a score per class
    auto model = fit(word, train, {.target = {"state"}, .positive = "ill"});
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_THAT(decide(*model, other).error().text(), HasSubstr("it keeps no rule for decisions"));
    const auto rule = choose_decision(*model, other, "recall>=0.9");
    ASSERT_TRUE(rule) << rule.error().text();
    EXPECT_GE(rule->recall, 0.9);
    model->decision = *rule;
    const auto read = Model::from_bytes(model->to_bytes(), "bytes");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->to_bytes(), model->to_bytes());
    const auto taken = decide(*read, other);
    ASSERT_TRUE(taken);
    double ill = 0, found = 0;
    for (std::size_t i = 0; i < taken->size(); ++i) {
      const bool is_ill = other.columns[2].codes[i] == 0;
      ill += is_ill, found += is_ill && (*taken)[i] == 0;
    }
    EXPECT_NEAR(found / ill, rule->recall, 1e-12);
    auto judged = judge(*read, other);
    ASSERT_TRUE(judged && take_decisions(*read, judged->at(0)));
    EXPECT_NEAR(scores_of(judged->at(0), {.words = {"recall"}})->at(0).value, rule->recall, 1e-12);
  }
}

TEST(ChooseDecision, OfCostsSpendsLessThanThePrediction) {
  const Dataset train = patients(0, 200, 2), other = patients(500, 150, 2);
  const auto model = fit("svm", train, {.target = {"state"}});
  ASSERT_TRUE(model);
  const auto costs = costs_of_missing(*model, {{"ill", 20}});
  const auto rule = choose_decision(*model, other, *costs);
  ASSERT_TRUE(rule) << rule.error().text();
  double plain = 0;
  const auto predicted = model->predict(other);
  for (std::size_t i = 0; i < predicted->size(); ++i) {
    const auto truth = static_cast<std::size_t>(other.columns[2].codes[i]);
    plain += costs->each[truth * 2 + static_cast<std::size_t>((*predicted)[i])] / 150;
  }
  EXPECT_LE(rule->value, plain);
}

TEST(ChooseDecision, OfMoreClassesIsByExpectedCosts) {
  const Dataset train = patients(0, 200, 3), other = patients(500, 150, 3);
  auto model = fit("softmax", train, {.target = {"state"}, .params = {{"lambda", 0.01}}});
  ASSERT_TRUE(model);
  const auto costs = costs_of_missing(*model, {{"dying", 100}});
  const auto rule = choose_decision(*model, other, *costs);
  ASSERT_TRUE(rule) << rule.error().text();
  model->decision = *rule;
  EXPECT_EQ(decide(*model, other).value(), decide(*model, other, *costs).value());
  EXPECT_THAT(choose_decision(*model, other, "f1").error().text(), HasSubstr("there are 3 classes"));
  const auto machine = fit("svm", train, {.target = {"state"}});
  EXPECT_THAT(choose_decision(*machine, other, *costs).error().text(), HasSubstr("calibrate it first"));
}

TEST(ChooseDecision, RefusesRowsThatTheModelWasTrainedOn) {
  const Dataset train = patients(0, 200, 2), other = patients(500, 150, 2);
  const auto model = fit("svm", train, {.target = {"state"}});
  EXPECT_THAT(choose_decision(*model, train, "f1").error().text(), HasSubstr("the model was trained on these rows"));
  const auto calibrated = calibrate(*model, other);
  ASSERT_TRUE(calibrated);
  EXPECT_THAT(choose_decision(*calibrated, other, "f1").error().text(), HasSubstr("was calibrated by these rows"));
  EXPECT_TRUE(choose_decision(*calibrated, patients(900, 150, 2), "f1")); // as many, and others
  std::vector<Index> backwards;
  for (Index i = other.rows; i-- > 0;) backwards.push_back(i);
  EXPECT_THAT(choose_decision(*calibrated, take_rows(other, backwards).value(), "f1").error().text(),
              HasSubstr("these rows prove the calibration, as those that it was learned from do in any order"));
}

} // namespace
} // namespace recta
