// A model that was never fitted, or was moved from, is refused with words by every call that takes one.
#include <recta/recta.hpp>

#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

namespace recta {
namespace {

using Calls = std::map<std::string, std::function<std::string(const Model&)>>; // the text of the error, or none

template <class T>
std::string said(const Result<T>& answer) {
  return answer ? "" : answer.error().text();
}

Calls calls(const Dataset& data, const Arrays& arrays) {
  const Costs costs{{0, 1, 1, 0}};
  return {
      {"predict a table", [&](const Model& m) { return said(m.predict(data)); }},
      {"predict an array", [&](const Model& m) { return said(m.predict(arrays.dense)); }},
      {"predict probabilities", [&](const Model& m) { return said(m.predict(data, 1, Answer::probability)); }},
      {"predict arrays", [&](const Model& m) { return said(predict(m, arrays)); }},
      {"verify a table", [&](const Model& m) { return said(verify(m, data)); }},
      {"verify arrays", [&](const Model& m) { return said(verify(m, arrays)); }},
      {"verify a stream", [&](const Model& m) { return said(verify_stream(m, "iris")); }},
      {"evaluate", [&](const Model& m) { return said(evaluate(m, data)); }},
      {"save", [&](const Model& m) { return said(m.save(testing::TempDir() + "empty.recta")); }},
      {"load", [&](const Model& m) { return said(Model::from_bytes(m.to_bytes(), "bytes")); }},
      {"transform a table", [&](const Model& m) { return said(transform(m, data)); }},
      {"transform arrays", [&](const Model& m) { return said(transform(m, arrays)); }},
      {"explain a table", [&](const Model& m) { return said(explain(m, data, 0)); }},
      {"explain arrays", [&](const Model& m) { return said(explain(m, arrays, 0)); }},
      {"as linear", [&](const Model& m) { return said(as_linear(m)); }},
      {"diagnose a table", [&](const Model& m) { return said(diagnose(m, data)); }},
      {"diagnose arrays", [&](const Model& m) { return said(diagnose(m, arrays)); }},
      {"compare", [&](const Model& m) { return said(compare(m, m)); }},
      {"compare on a table", [&](const Model& m) { return said(compare(m, m, data)); }},
      {"intervals of a table", [&](const Model& m) { return said(predict_interval(m, data)); }},
      {"intervals of arrays", [&](const Model& m) { return said(predict_interval(m, arrays)); }},
      {"picture", [&](const Model& m) { return said(plot::picture(m, data)); }},
      {"picture of residuals", [&](const Model& m) { return said(plot::picture(m, data, "residuals")); }},
      {"picture of a descent", [&](const Model& m) { return said(plot::descent_picture(m, data, {})); }},
      {"judge", [&](const Model& m) { return said(judge(m, data)); }},
      {"decide", [&](const Model& m) { return said(decide(m, data)); }},
      {"decide by costs", [&](const Model& m) { return said(decide(m, data, costs)); }},
      {"decide about an array", [&](const Model& m) { return said(decide(m, arrays.dense)); }},
      {"costs of a table", [&](const Model& m) { return said(costs_of(m, data)); }},
      {"costs of missing", [&](const Model& m) { return said(costs_of_missing(m, {{"a", 1}})); }},
      {"choose a decision", [&](const Model& m) { return said(choose_decision(m, data, "f1")); }},
      {"choose by costs", [&](const Model& m) { return said(choose_decision(m, data, costs)); }},
      {"nearest rows of a table", [&](const Model& m) { return said(nearest_rows(m, data, {})); }},
      {"nearest rows of arrays", [&](const Model& m) { return said(nearest_rows(m, arrays, {})); }},
      {"thin", [&](const Model& m) { return said(thin(m)); }},
      {"held-out rows", [&](const Model& m) { return said(held_out_rows(m, data)); }},
      {"calibrate", [&](const Model& m) { return said(calibrate(m, data)); }},
      {"to libsvm", [&](const Model& m) { return said(from_recta(m, "libsvm")); }},
      {"to liblinear", [&](const Model& m) { return said(from_recta(m, "liblinear")); }},
      {"with coefficients", [&](const Model& m) { return said(m.with_coefficients({}, {})); }},
  };
}

void expect_harmless(const Model& model) {
  EXPECT_FALSE(model.is_linear());
  EXPECT_EQ(model.linear(), nullptr);
  EXPECT_TRUE(model.feature_names().empty());
  EXPECT_FALSE(model.classifies());
  EXPECT_FALSE(model.has_probabilities());
  EXPECT_EQ(model.columns(Answer::probability), 0);
  EXPECT_TRUE(model.body->parts().empty());
}

TEST(EmptyModels, AreRefusedByEveryCall) {
  const Dataset data = read("iris").value();
  const double x[] = {1, 2, 3, 4}, y[] = {0, 1, 0, 1};
  const Arrays arrays{.dense = MatrixView::col_major(x, 4, 1), .y = MatrixView::vector(y, 4)};
  Model never, from = fit("knn", data, {.target = {"species"}}).value(),
               held = fit("lda", data, {.target = {"species"}}).value();
  held.holdout = {.share = 0.2, .seed = 1};
  const Model to = std::move(from), other = std::move(held);
  for (const auto& [name, call] : calls(data, arrays))
    for (const Model* model : {&never, &from, &held}) { // NOLINT(bugprone-use-after-move): this is what is tested
      const std::string text = call(*model);
      EXPECT_FALSE(text.empty()) << name;
    }
  for (const Model* model : {&never, &from, &held}) expect_harmless(*model);
  EXPECT_THAT(never.predict(data).error().text(),
              testing::HasSubstr("it is empty: it was never fitted, or it was moved from"));
  EXPECT_TRUE(to.predict(data));
  EXPECT_TRUE(other.predict(data));
}

TEST(EmptyModels, ThatLearnRowByRowOrAreStatisticsAreRefusedToo) {
  const double x[] = {1, 2, 3, 4}, y[] = {0, 1, 0, 1};
  const Arrays arrays{.dense = MatrixView::col_major(x, 4, 1), .y = MatrixView::vector(y, 4)};
  Online never, from = Online::begin(1).value();
  Online to = std::move(from);
  for (Online* online : {&never, &from}) { // NOLINT(bugprone-use-after-move)
    EXPECT_FALSE(online->learn(arrays));
    EXPECT_FALSE(online->learn_shuffled(arrays, 1, 1));
    online->set_rate(1);
    EXPECT_EQ(online->point().presented, 0);
    const Online copy = *online;
    EXPECT_EQ(copy.point().presented, 0);
  }
  EXPECT_TRUE(to.learn(arrays));
  Statistics gathered = Statistics::gather(arrays).value();
  Statistics kept = std::move(gathered);
  EXPECT_TRUE(gathered.empty()); // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(gathered.rows(), 0);
  EXPECT_FALSE(gathered.append(kept));
  EXPECT_FALSE(kept.append(gathered));
  EXPECT_FALSE(fit("linear", gathered));
  EXPECT_FALSE(Statistics::from_bytes(gathered.to_bytes()));
  EXPECT_TRUE(fit("linear", kept));
}

} // namespace
} // namespace recta
