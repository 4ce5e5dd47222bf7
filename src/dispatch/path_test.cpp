// Requests that a path refuses before and while it reads, and one of labels.
#include "base/random.hpp"

#include <recta/path.hpp>

#include <cmath>
#include <gmock/gmock.h>

namespace recta {
namespace {

using testing::HasSubstr;

struct Numbers {
  std::vector<double> x{1, 2, 3, 5, 8, 13, 2, 1, 4, 3, 6, 2}, y{1, 3, 2, 5, 9, 12};
  Arrays arrays() const {
    return {.dense = MatrixView::col_major(x.data(), 6, 2), .y = MatrixView::vector(y.data(), 6)};
  }
};

std::string refusal(const Result<Path>& made) {
  return made ? "nothing was refused" : made.error().text();
}

TEST(PathRefuses, AStrengthOfItsOwn) {
  const Numbers numbers;
  for (const char* name : {"lambda", "lambda1", "psi"}) {
    FitOptions options;
    options.params[name] = 0.5;
    EXPECT_THAT(refusal(path("lasso", numbers.arrays(), options)), HasSubstr(std::string(name) + " was given"));
  }
}

TEST(PathRefuses, FoldsThatAreNone) {
  const Numbers numbers;
  EXPECT_THAT(refusal(path("lasso", numbers.arrays(), {}, {.folds = 1})), HasSubstr("at least two folds"));
  EXPECT_THAT(refusal(path("lasso", numbers.arrays(), {}, {.folds = 2, .fold_of = {0, 1, 2, 0, 1, 0}})),
              HasSubstr("a row is in fold 2"));
  EXPECT_THAT(refusal(path("lasso", numbers.arrays(), {}, {.folds = 2, .fold_of = {0, 1}})),
              HasSubstr("6 rows and the folds of 2"));
  EXPECT_THAT(refusal(path("lasso", numbers.arrays(), {}, {.folds = 2, .fold_of = {0, 0, 0, 0, -1, -1}})),
              HasSubstr("no row is in fold 1"));
}

TEST(PathRefuses, ANumberThatIsNoneAndNamesItsPlace) {
  Numbers numbers;
  numbers.x[8] = std::nan("");
  EXPECT_THAT(refusal(path("ridge", numbers.arrays())), HasSubstr("row 3, column x2"));
}

TEST(PathRefuses, StrengthsBesideTheSumForTheLasso) {
  EXPECT_THAT(refusal(path("lasso", Numbers().arrays(), {}, {.summed = true})), HasSubstr("beside the mean loss"));
}

// Columns of sizes from 1e-9 to 1e9, half of which a penalty of one beside the sum of squares does not touch.
struct Graded {
  static constexpr Index kRows = 24, kCols = 9;
  std::vector<double> x, y;

  Graded() {
    Random random(11);
    for (Index i = 0; i < kRows; ++i) {
      double sum = random.normal();
      for (Index j = 0; j < kCols; ++j) {
        const double z = random.normal();
        x.push_back(z * std::pow(10, 9 - 2.25 * static_cast<double>(j)));
        sum += z / static_cast<double>(1 + j);
      }
      y.push_back(sum);
    }
  }
  Arrays arrays(const double* weights = nullptr) const {
    return {.dense = MatrixView::row_major(x.data(), kRows, kCols),
            .y = MatrixView::vector(y.data(), kRows),
            .weights = weights};
  }
};

Model proved_ridge(const Arrays& arrays, double lambda) {
  FitOptions options;
  options.params["lambda"] = lambda;
  auto model = fit("ridge", arrays, options);
  EXPECT_TRUE(model && model->certificate.verdict == Verdict::proved);
  return model ? *std::move(model) : Model{};
}

TEST(RidgePath, PointsOfAPenaltyFarBelowTheLargestColumnsAreTheFitsThatAreProvedOneByOne) {
  const Graded data;
  const double tau = 1, n = Graded::kRows;
  for (const bool leave_one_out : {false, true}) {
    const auto made = path("ridge", data.arrays(), {}, {.lambdas = {tau / n, 0}, .leave_one_out = leave_one_out});
    ASSERT_TRUE(made) << made.error().text();
    for (const PathPoint& point : made->points) {
      const Model alone = proved_ridge(data.arrays(), point.lambda);
      EXPECT_TRUE(point.checked && point.proved);
      EXPECT_LE(point.gap, 1e-10 * alone.certificate.null_objective);
      EXPECT_NEAR(point.objective / alone.certificate.objective, 1, 1e-10);
      EXPECT_NEAR(point.r2, alone.linear()->targets[0].r2, 1e-10);
      for (Index j = 0; j < Graded::kCols; ++j)
        EXPECT_NEAR(point.coefficients[j] / alone.linear()->targets[0].coefficients[j].value, 1, 1e-8);
    }
    EXPECT_NEAR(made->points[1].degrees_of_freedom, Graded::kCols, 1e-12);
  }
}

TEST(RidgePath, LeavingRowsOutUnderASmallPenaltyIsTheFitWithoutThem) {
  const Graded data;
  const double tau = 1, n = Graded::kRows;
  std::vector<std::int32_t> own(Graded::kRows); // one fold per row
  for (Index i = 0; i < Graded::kRows; ++i) own[i] = static_cast<std::int32_t>(i);
  const auto made =
      path("ridge", data.arrays(), {},
           {.lambdas = {tau}, .folds = Graded::kRows, .fold_of = own, .summed = true, .leave_one_out = true});
  ASSERT_TRUE(made) << made.error().text();
  double sum = 0;
  for (Index i = 0; i < Graded::kRows; ++i) {
    std::vector<double> weights(Graded::kRows, 1);
    weights[i] = 0;
    const Model without = proved_ridge(data.arrays(weights.data()), tau / (n - 1));
    double error = data.y[i] - without.linear()->targets[0].intercept.value;
    for (Index j = 0; j < Graded::kCols; ++j)
      error -= without.linear()->targets[0].coefficients[j].value * data.x[i * Graded::kCols + j];
    EXPECT_NEAR(made->points[0].fold_error[i] / (error * error), 1, 1e-6);
    sum += error * error / n;
  }
  EXPECT_NEAR(made->points[0].loo_mse / sum, 1, 1e-9);
  EXPECT_NEAR(made->points[0].cv_error / sum, 1, 1e-9);
}

// Counts of a 2 x 2 table as weights: the log odds ratio is log 5 without a penalty.
TEST(LogisticPath, LearnsTheLabelsOfArraysAndGoesToTheLikelihood) {
  const std::vector<double> x{0, 0, 1, 1}, y{3, 8, 3, 8}, v{6, 2, 3, 5};
  const Arrays arrays{
      .dense = MatrixView::row_major(x.data(), 4, 1), .y = MatrixView::vector(y.data(), 4), .weights = v.data()};
  const auto made = path("logistic", arrays, {.params = {{"l1-share", 1.0}}}, {.lambdas = {0, 3.0 / 32, 0.01}});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(made->measure, "log-loss");
  EXPECT_NEAR(made->lambda_max, 3.0 / 32, 1e-15);
  EXPECT_EQ(made->points[0].nonzero, 0);
  EXPECT_EQ(made->points[1].nonzero, 1);
  EXPECT_NEAR(made->points[2].coefficients[0], std::log(5.0), 1e-9);
  EXPECT_NEAR(made->points[2].intercept, -std::log(3.0), 1e-9);
  EXPECT_THAT(refusal(path("logistic", arrays, {}, {.folds = 2, .fold_of = {0, 1, 0, 1}})),
              HasSubstr("without fold 0 there is no row of the class \"3\""));
}

} // namespace
} // namespace recta
