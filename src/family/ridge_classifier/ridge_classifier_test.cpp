// Classes by least squares are the least squares of targets -1 and 1.
#include "model/linear/body.hpp"

#include <recta/recta.hpp>

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

struct Iris {
  Values x, place; // 150 x 4, and the class of each row
  std::vector<double> weight;
};

Iris iris() {
  Iris out;
  const Dataset data = *read("iris");
  for (std::size_t i = 0; i < 150; ++i) {
    for (std::size_t j = 0; j < 4; ++j) out.x.push_back(data.columns[j].values[i]);
    out.place.push_back(static_cast<double>(i / 50));
    out.weight.push_back(1 + static_cast<double>(i % 3));
  }
  return out;
}

Arrays arrays(const Iris& data, const Values& y) {
  Arrays out;
  out.dense = MatrixView::row_major(data.x.data(), 150, 4);
  out.y = MatrixView::vector(y.data(), 150);
  out.weights = data.weight.data();
  return out;
}

Values against(const Iris& data, double place) {
  Values y;
  for (const double one : data.place) y.push_back(one == place ? 1 : -1);
  return y;
}

void expect_same(const TargetFit& got, const TargetFit& want) {
  EXPECT_EQ(got.intercept.value, want.intercept.value);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(got.coefficients[j].value, want.coefficients[j].value);
}

class RidgeClassifier : public testing::TestWithParam<double> {};

TEST_P(RidgeClassifier, IsRidgeOnMinusOneAndOneForEveryClass) {
  const Iris data = iris();
  const FitOptions options{.params = {{"lambda", GetParam()}}};
  const auto model = fit("ridge-classifier", arrays(data, data.place), options);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved);
  ASSERT_EQ(model->linear()->targets.size(), 3u);
  EXPECT_EQ(model->linear()->targets[1].target, "1");
  EXPECT_TRUE(std::isnan(model->linear()->targets[0].coefficients[0].standard_error));
  for (std::size_t k = 0; k < 3; ++k) {
    const Values y = against(data, static_cast<double>(k));
    const auto alone = fit("ridge", arrays(data, y), options);
    ASSERT_TRUE(alone) << alone.error().text();
    expect_same(model->linear()->targets[k], alone->linear()->targets[0]);
  }
}

TEST_P(RidgeClassifier, OfTwoClassesIsOneRidge) {
  const Iris data = iris();
  const Values y = against(data, 2);
  const FitOptions options{.params = {{"lambda", GetParam()}}};
  const auto model = fit("ridge-classifier", arrays(data, y), options), alone = fit("ridge", arrays(data, y), options);
  ASSERT_TRUE(model && alone);
  ASSERT_EQ(model->linear()->targets.size(), 1u);
  expect_same(model->linear()->targets[0], alone->linear()->targets[0]);
}

INSTANTIATE_TEST_SUITE_P(Strengths, RidgeClassifier, testing::Values(0.0, 0.01, 3.0));

TEST(RidgeClassifierModel, CountsWhatItPredictsRightAndIsVerified) {
  const Iris data = iris();
  const Arrays rows = arrays(data, data.place);
  const auto model = fit("ridge-classifier", rows, {.params = {{"lambda", 0.1}}});
  ASSERT_TRUE(model) << model.error().text();
  const auto again = Model::from_bytes(model->to_bytes(), "bytes");
  ASSERT_TRUE(again) << again.error().text();
  const auto predicted = again->predict(rows.dense);
  ASSERT_TRUE(predicted) << predicted.error().text();
  double right = 0, all = 0;
  for (std::size_t i = 0; i < 150; ++i) {
    all += data.weight[i];
    right += (*predicted)[i] == data.place[i] ? data.weight[i] : 0;
  }
  EXPECT_EQ(again->linear()->classes.accuracy, right / all);
  EXPECT_GT(right, 0.7 * all);
  EXPECT_FALSE(again->predict(rows.dense, 1, Answer::probability));
  EXPECT_EQ(verify(*again, rows)->verdict, Verdict::proved);
  Model moved = *again;
  own_linear(moved).targets[2].coefficients[1].value += 0.01;
  EXPECT_EQ(verify(moved, rows)->verdict, Verdict::refuted);
  for (double ClassFit::* const figure : {&ClassFit::log_likelihood, &ClassFit::null_log_likelihood, &ClassFit::ratio,
                                          &ClassFit::ratio_freedom, &ClassFit::ratio_p_value, &ClassFit::mistakes}) {
    Model added = *again; // a figure that no fit states
    own_linear(added).classes.*figure = 0.25;
    EXPECT_EQ(verify(added, rows)->verdict, Verdict::refuted);
  }
  Values other = data.place;
  std::swap(other[0], other[149]);
  EXPECT_FALSE(verify(*again, arrays(data, other))) << "other labels are other rows";
}

TEST(RidgeClassifierModel, HasTheSameBitsByAnyNumberOfThreads) {
  const Iris data = iris();
  const auto one = fit("ridge-classifier", arrays(data, data.place), {.threads = 1});
  const auto four = fit("ridge-classifier", arrays(data, data.place), {.threads = 4});
  ASSERT_TRUE(one && four);
  EXPECT_EQ(one->linear()->classes.accuracy, four->linear()->classes.accuracy);
  for (std::size_t k = 0; k < 3; ++k) expect_same(one->linear()->targets[k], four->linear()->targets[k]);
}

} // namespace
} // namespace recta
