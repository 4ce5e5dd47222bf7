// Kernel ridge against ridge in feature space, against refits without a row, and numbers worked by hand.
#include "family/kernel_ridge/body.hpp"

#include <recta/recta.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::HasSubstr;

struct Rows24 {
  std::vector<double> x, y, weight;
  Index rows = 24;
  Rows24() {
    for (Index i = 0; i < rows; ++i) {
      const auto t = static_cast<double>(i);
      const double a = std::sin(t * 0.7) + 0.05 * t, b = std::cos(1.3 * t);
      x.insert(x.end(), {a, b});
      y.push_back(a * b + std::sin(3 * a));
      weight.push_back(1 + static_cast<double>(i % 3));
    }
  }
  Arrays arrays(bool weighted = false) const {
    Arrays out;
    out.dense = MatrixView::row_major(x.data(), rows, 2);
    out.y = MatrixView::vector(y.data(), rows);
    if (weighted) out.weights = weight.data();
    return out;
  }
};

FitOptions with(Params params, bool intercept = true) {
  FitOptions out;
  out.params = std::move(params);
  out.intercept = intercept;
  return out;
}

const kernel_ridge::Learned& learned(const Model& model) {
  return dynamic_cast<const kernel_ridge::RidgeBody&>(*model.body).learned();
}

// (K + lambda n I) alpha = y for the kernel (1 + x z) of the rows 0 and 1: K = [1 1; 1 2], lambda n = 1, y = (1, 3):
// [2 1; 1 3] alpha = (1, 3) gives alpha = (0, 1).
TEST(KernelRidge, OfTwoRowsIsSolvedByHand) {
  const std::vector<double> x{0, 1}, y{1, 3};
  Arrays rows;
  rows.dense = MatrixView::row_major(x.data(), 2, 1);
  rows.y = MatrixView::vector(y.data(), 2);
  const auto model = fit("kernel-ridge", rows,
                         with({{"kernel", std::string("polynomial")},
                               {"degree", 1.0},
                               {"gamma", 1.0},
                               {"coef", 1.0},
                               {"tau", 1.0},
                               {"loo", true}},
                              false));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  EXPECT_NEAR(learned(*model).alpha[0], 0, 1e-15);
  EXPECT_NEAR(learned(*model).alpha[1], 1, 1e-15);
  // Without row 2, row 1 alone gives 1/2 k(x, 0), so 3 is missed by 3 - 1/2 = 5/2; without row 1, 3/3 k(0, 1) = 1.
  EXPECT_NEAR(learned(*model).left_out[0], (0 + 2.5 * 2.5) / 2, 1e-14);
}

class Strengths : public testing::TestWithParam<std::tuple<double, bool, bool>> {};

TEST_P(Strengths, WithTheLinearKernelItIsRidge) {
  const auto [lambda, weighted, intercept] = GetParam();
  const Rows24 data;
  const Arrays rows = data.arrays(weighted);
  const auto kernel = fit("kernel-ridge", rows, with({{"lambda", lambda}}, intercept));
  const auto plain = fit("ridge", rows, with({{"lambda", lambda}}, intercept));
  ASSERT_TRUE(kernel && plain) << kernel.error().text();
  EXPECT_EQ(kernel->certificate.verdict, Verdict::proved) << kernel->certificate.sentence();
  EXPECT_NEAR(kernel->certificate.objective, plain->certificate.objective, 1e-13);
  const auto a = kernel->predict(rows.dense), b = plain->predict(rows.dense);
  const double off = 1e-14 * (1 + 1 / lambda); // the condition of K + lambda
  for (std::size_t i = 0; i < a->size(); ++i) EXPECT_NEAR((*a)[i], (*b)[i], off);
}

TEST_P(Strengths, ARowLeftOutIsARowRefitted) {
  const auto [lambda, weighted, intercept] = GetParam();
  const Rows24 data;
  const double total = weighted ? 48 : 24, tau = lambda * total;
  const Params params{{"kernel", std::string("rbf")}, {"gamma", 0.8}, {"tau", tau}};
  Params asked = params;
  asked["loo"] = true;
  const auto whole = fit("kernel-ridge", data.arrays(weighted), with(asked, intercept));
  ASSERT_TRUE(whole) << whole.error().text();
  double sum = 0;
  for (Index i = 0; i < data.rows; ++i) {
    Rows24 less = data;
    const double weight = weighted ? data.weight[static_cast<std::size_t>(i)] : 1;
    if (!weighted) less.weight.assign(24, 1);
    less.weight[static_cast<std::size_t>(i)] = 0;
    const auto part = fit("kernel-ridge", less.arrays(true), with(params, intercept));
    ASSERT_TRUE(part) << part.error().text();
    const double e =
        data.y[static_cast<std::size_t>(i)] - (*part->predict(MatrixView::row_major(data.x.data() + 2 * i, 1, 2)))[0];
    sum += weight / total * e * e;
  }
  EXPECT_NEAR(learned(*whole).left_out[0], sum, 1e-10 * sum);
  PathOptions how{.lambdas = {lambda}, .leave_one_out = true};
  Params of_path = params;
  of_path.erase("tau");
  const auto points = path("kernel-ridge", data.arrays(weighted), with(of_path, intercept), how);
  ASSERT_TRUE(points) << points.error().text();
  EXPECT_NEAR(points->points[0].loo_mse, sum, 1e-10 * sum);
  EXPECT_NEAR(points->points[0].mse, learned(*whole).mse[0], 1e-12);
  EXPECT_NEAR(points->points[0].objective, whole->certificate.objective, 1e-13);
  EXPECT_LE(points->points[0].gap, 1e-16);
}

INSTANTIATE_TEST_SUITE_P(All, Strengths,
                         testing::Combine(testing::Values(1e-4, 0.3), testing::Bool(), testing::Bool()));

TEST(KernelRidge, OfSeveralTargetsIsEachByItself) {
  const Rows24 data;
  std::vector<double> both;
  for (std::size_t i = 0; i < 24; ++i) both.insert(both.end(), {data.y[i], 7.0 - data.x[2 * i]});
  Arrays rows = data.arrays();
  rows.y = MatrixView::row_major(both.data(), 24, 2);
  const Params params{{"kernel", std::string("laplacian")}, {"lambda", 0.01}};
  const auto model = fit("kernel-ridge", rows, with(params)), alone = fit("kernel-ridge", data.arrays(), with(params));
  ASSERT_TRUE(model && alone) << model.error().text();
  const auto many = model->predict(rows.dense), one = alone->predict(rows.dense);
  for (std::size_t i = 0; i < 24; ++i) EXPECT_NEAR((*many)[2 * i], (*one)[i], 1e-13);
  EXPECT_EQ(verify(*model, rows)->verdict, Verdict::proved);
  const auto again = Model::from_bytes(model->to_bytes(), "bytes");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->to_bytes(), model->to_bytes());
  EXPECT_EQ(*again->predict(rows.dense), *many);
}

TEST(KernelRidge, HasTheSameBitsByAnyNumberOfThreads) {
  const Rows24 data;
  FitOptions one = with({{"kernel", std::string("rbf")}}), four = one;
  one.threads = 1, four.threads = 4;
  EXPECT_EQ(fit("kernel-ridge", data.arrays(), one)->to_bytes(), fit("kernel-ridge", data.arrays(), four)->to_bytes());
}

TEST(KernelRidge, OfATargetThatDoesNotVaryIsThatNumber) {
  Rows24 data;
  data.y.assign(24, 3.7);
  const auto model = fit("kernel-ridge", data.arrays(true), with({{"kernel", std::string("rbf")}}));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  EXPECT_EQ((*model->predict(data.arrays().dense))[5], 3.7);
}

TEST(KernelRidge, WithASigmoidClaimsAStationaryPointOnly) {
  const Rows24 data;
  const auto model = fit("kernel-ridge", data.arrays(),
                         with({{"kernel", std::string("sigmoid")}, {"gamma", 2.0}, {"coef", -1.0}, {"lambda", 0.01}}));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_TRUE(std::holds_alternative<Stationary>(model->certificate.claim));
  EXPECT_NE(model->certificate.verdict, Verdict::proved);
}

TEST(KernelRidge, SaysWhatItDoesNotTake) {
  const Rows24 data;
  const auto refusal = [&](Params params) {
    const auto model = fit("kernel-ridge", data.arrays(), with(std::move(params)));
    return model ? std::string("taken") : model.error().text();
  };
  EXPECT_THAT(refusal({{"lambda", 0.0}}), HasSubstr("lambda"));
  EXPECT_THAT(refusal({{"lambda", 1.0}, {"tau", 1.0}}), HasSubstr("more than once"));
  EXPECT_THAT(refusal({{"gamma", 1.0}}), HasSubstr("the kernel linear has none"));
  EXPECT_THAT(refusal({{"kernel", std::string("precomputed")}}), HasSubstr("2 columns for 24 rows"));
  const auto folds = path("kernel-ridge", data.arrays(), {}, {.folds = 3});
  ASSERT_FALSE(folds);
  EXPECT_THAT(folds.error().text(), HasSubstr("leave-one-out"));
}

} // namespace
} // namespace recta
