// What a path refuses before and while it reads, and one of labels.
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
