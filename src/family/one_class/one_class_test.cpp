// One-class machines: exact answers of small sets, the bounds of nu, files, proofs that fail.
#include "family/one_class/body.hpp"

#include <recta/recta.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace recta {
namespace {

using testing::HasSubstr;

Arrays rows_of(const Values& x, Index cols) {
  Arrays out;
  out.dense = MatrixView::row_major(x.data(), std::ssize(x) / cols, cols);
  return out;
}

Values cloud(Index rows, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  Values out;
  for (Index i = 0; i < 2 * rows; ++i) out.push_back(normal(engine) * (i % 2 == 0 ? 1 : 2));
  return out;
}

FitOptions with(Params params) {
  FitOptions out;
  out.params = std::move(params);
  return out;
}

const one_class::Learned& learned(const Model& model) {
  return dynamic_cast<const one_class::OneClassBody&>(*model.body).learned();
}

// Two rows of the linear kernel, x = 1 and x = 3, nu = 0.3: the multipliers add up to 0.6, no more than 1 each. All
// goes to the row nearer to the origin: w = 0.6, and rho is its score.
TEST(OneClass, OfTwoNumbersIsTheNearerOne) {
  const Values x{1, 3};
  const auto model = fit("one-class", rows_of(x, 1), with({{"kernel", "linear"}, {"nu", 0.3}}));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  EXPECT_EQ(learned(*model).vectors.rows, std::vector<Index>{0});
  EXPECT_NEAR(learned(*model).offset, 0.6, 1e-14);
  const Values others{0.5, 1, 2, 3};
  const auto told = predict(*model, rows_of(others, 1));
  ASSERT_TRUE(told) << told.error().text();
  const std::vector<double> expected{-1, -0.3, 1, 0, 1, 0.6, 1, 1.2};
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR((*told)[k], expected[k], 1e-14);
}

// 1, 2, 3 and 4 with nu = 1/2: the multipliers of 1 and 2 are full, w = 3, and every level between the scores of 2 and
// 3 leaves half of the rows outside.
TEST(OneClass, OfFourNumbersHasAnIntervalOfLevels) {
  const Values x{1, 2, 3, 4};
  auto model = fit("one-class", rows_of(x, 1), with({{"kernel", "linear"}, {"nu", 0.5}}));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  const one_class::Learned found = learned(*model);
  EXPECT_NEAR(found.lowest, 6, 1e-13);
  EXPECT_NEAR(found.offset, 7.5, 1e-13);
  EXPECT_NEAR(found.highest, 9, 1e-13);
  EXPECT_NEAR(1 / std::sqrt(found.squared), 2.5, 1e-13); // rho / |w|
  const auto back = Model::from_bytes(model->to_bytes(), "one class");
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(learned(*back).highest, found.highest);
  const std::vector<std::pair<double one_class::Learned::*, const char*>> wrong{
      {&one_class::Learned::highest, "the level 9.5 is not as good as"},
      {&one_class::Learned::lowest, "the level 5.5 is not as good as"},
      {&one_class::Learned::squared, "|w|^2 is 1 in the file"}};
  const std::vector<double> values{9.5, 5.5, 1};
  for (std::size_t k = 0; k < wrong.size(); ++k) {
    one_class::Learned other = found;
    other.*wrong[k].first = values[k];
    model->body = std::make_shared<one_class::OneClassBody>(other, model->body->summary());
    const auto told = verify(*model, rows_of(x, 1));
    ASSERT_TRUE(told) << told.error().text();
    EXPECT_EQ(told->verdict, Verdict::refuted);
    EXPECT_THAT(told->sentence(), HasSubstr(wrong[k].second));
  }
}

TEST(OneClass, LeavesAtMostTheShareOutsideAndHasAtLeastItInSupport) {
  const Values x = cloud(80, 1);
  for (const char* const kernel : {"rbf", "laplacian"})
    for (const double nu : {0.05, 0.3, 0.9, 1.0}) {
      const auto model = fit("one-class", rows_of(x, 2), with({{"kernel", kernel}, {"nu", nu}}));
      ASSERT_TRUE(model) << model.error().text();
      EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
      EXPECT_GE(static_cast<double>(learned(*model).beta.size()), nu * 80 - 1e-9);
      const auto told = predict(*model, rows_of(x, 2));
      ASSERT_TRUE(told);
      double outside = 0;
      for (std::size_t i = 0; i < 80; ++i) outside += (*told)[2 * i + 1] < -1e-9 ? 1 : 0;
      EXPECT_LE(outside, nu * 80 + 1e-9);
      EXPECT_EQ(verify(*model, rows_of(x, 2))->verdict, Verdict::proved);
    }
}

TEST(OneClass, SaysWhatItDoesNotTake) {
  const Values x{-1, 1};
  EXPECT_THAT(fit("one-class", rows_of(x, 1), with({{"kernel", "linear"}})).error().text(),
              HasSubstr("the origin lies among the rows"));
  EXPECT_THAT(fit("one-class", rows_of(x, 1), with({{"nu", 1.5}})).error().text(), HasSubstr("nu"));
}

} // namespace
} // namespace recta
