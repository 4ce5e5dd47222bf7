// Coefficients are read, and changed in a copy that says so; nothing else of a model can be edited through a getter.
#include <recta/recta.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <utility>

namespace recta {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr double kX[] = {1, 2, 3, 4, 5, 6, 7, 8}, kY[] = {1, 2, 3, 5, 5, 7, 6, 9}, kClass[] = {0, 0, 1, 0, 1, 0, 1, 1};

Arrays rows(const double* y = kY) {
  return {.dense = MatrixView::col_major(kX, 8, 1), .y = MatrixView::vector(y, 8)};
}

const double& weight(const Model& model) {
  return model.linear()->targets[0].coefficients[0].value;
}

TEST(Coefficients, AreAskedForAndNothingChangesByAsking) {
  for (const char* word : {"knn", "svm", "naive-bayes", "lda", "qda", "kernel-ridge"}) {
    const bool number = std::string(word) == "kernel-ridge";
    auto model = fit(word, rows(number ? kY : kClass));
    ASSERT_TRUE(model) << word << ": " << model.error().text();
    const auto before = model->predict(rows().dense);
    EXPECT_EQ(model->linear() != nullptr, model->is_linear()) << word;
    const auto after = model->predict(rows().dense);
    ASSERT_TRUE(before && after) << word;
    EXPECT_TRUE(std::ranges::equal(*before, *after)) << word;
  }
  static_assert(std::is_same_v<decltype(std::declval<Model&>().linear()), const LinearSummary*>);
}

TEST(Coefficients, ThatAreChangedByHandAreOnesOfAnotherModelThatSaysSo) {
  const auto model = fit("linear", rows());
  ASSERT_TRUE(model);
  const double w[] = {2.0}, b[] = {0.5};
  const auto changed = model->with_coefficients(w, b);
  ASSERT_TRUE(changed) << changed.error().text();
  EXPECT_NE(weight(*model), 2);
  EXPECT_EQ(model->certificate.verdict, Verdict::proved);
  EXPECT_EQ(weight(*changed), 2);
  EXPECT_EQ(*changed->predict(rows().dense), Values({2.5, 4.5, 6.5, 8.5, 10.5, 12.5, 14.5, 16.5}));
  const auto expect_said = [](const Model& said) {
    EXPECT_EQ(said.certificate.stop.reason(), Stop::changed_by_hand);
    EXPECT_EQ(said.certificate.verdict, Verdict::stopped_early);
    EXPECT_THAT(said.certificate.sentence(), StartsWith("Changed by hand, not proved: "));
    EXPECT_TRUE(std::isnan(said.linear()->targets[0].coefficients[0].standard_error));
    EXPECT_TRUE(std::isnan(said.linear()->targets[0].r2));
  };
  expect_said(*changed);
  const auto loaded = Model::from_bytes(changed->to_bytes(), "a file");
  ASSERT_TRUE(loaded) << loaded.error().text();
  expect_said(*loaded);
  EXPECT_EQ(weight(*loaded), 2);
}

// By hand: F = sum (y - w x - b)^2 / 2n.
TEST(Coefficients, ThatAreChangedAreMeasuredByVerify) {
  const auto model = fit("linear", rows());
  const double w[] = {2.0}, b[] = {0.5};
  const auto cost = [](double at, double from) {
    double sum = 0;
    for (std::size_t i = 0; i < 8; ++i) sum += std::pow(kY[i] - at * kX[i] - from, 2) / 16;
    return sum;
  };
  const auto again = verify(*model->with_coefficients(w, b), rows());
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->verdict, Verdict::stopped_early);
  const double best = cost(weight(*model), model->linear()->targets[0].intercept.value);
  EXPECT_NEAR(std::get<ExactOptimum>(again->claim).suboptimality, cost(2, 0.5) - best, 1e-12);
}

TEST(Coefficients, OfCopiesAreTheirOwn) {
  const auto model = fit("logistic", rows(kClass), {.params = {{"lambda", 0.1}}});
  ASSERT_TRUE(model) << model.error().text();
  const Model copy = *model;
  const double w[] = {7.0}, b[] = {-1.0};
  const auto changed = copy.with_coefficients(w, b);
  ASSERT_TRUE(changed);
  EXPECT_EQ(weight(copy), weight(*model));
  EXPECT_NE(weight(copy), 7);
}

TEST(Coefficients, ThatCannotBeThoseOfTheModelAreRefused) {
  const auto model = fit("linear", rows());
  const double w[] = {1, 2}, b[] = {0}, bad[] = {std::nan("")};
  EXPECT_THAT(model->with_coefficients(w, b).error().text(),
              HasSubstr("2 weights and 1 intercepts came for 1 targets"));
  EXPECT_THAT(model->with_coefficients({}, b).error().text(), HasSubstr("0 weights"));
  EXPECT_THAT(model->with_coefficients({w, 1}, bad).error().text(), HasSubstr("intercept 1 is nan"));
  EXPECT_THAT(model->with_coefficients(bad, b).error().text(), HasSubstr("weight 1 is nan"));
  const auto remembering = fit("knn", rows(kClass));
  EXPECT_THAT(remembering->with_coefficients({w, 1}, b).error().text(), HasSubstr("not linear"));
  EXPECT_THAT(Model().with_coefficients({}, {}).error().text(), HasSubstr("it is empty"));
}

TEST(Coefficients, OfAnOnlineModelAreItsOwn) {
  Online first = Online::begin(1).value();
  ASSERT_TRUE(first.learn(rows()));
  Online second = first;
  ASSERT_TRUE(second.learn(rows()));
  EXPECT_EQ(first.point().presented, 8);
  EXPECT_EQ(second.point().presented, 16);
  second = first;
  second.set_rate(0);
  ASSERT_TRUE(first.learn(rows()));
  EXPECT_EQ(second.point().presented, 8);
}

} // namespace
} // namespace recta
