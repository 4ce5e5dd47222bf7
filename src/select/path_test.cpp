// Paths and their criteria against fits made one by one on the rows themselves.
#include "base/random.hpp"
#include "select/criteria.hpp"
#include "select/elastic_net_path.hpp"
#include "select/ridge_path.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>

namespace recta {
namespace {

constexpr Index kRows = 60, kCols = 5;

struct Data {
  std::vector<double> x, y, weight; // x by row
  Batch batch() const {
    return {MatrixView::row_major(x.data(), kRows, kCols), MatrixView::vector(y.data(), kRows), weight, {}, 0};
  }
};

Data random_data(std::uint64_t seed) {
  Random random(seed);
  Data data;
  for (Index i = 0; i < kRows; ++i) {
    double y = random.normal() + 3;
    for (Index j = 0; j < kCols; ++j) {
      data.x.push_back(random.normal() * static_cast<double>(j + 1) + 10);
      y += (j < 2 ? 0.7 : 0) * data.x.back();
    }
    data.y.push_back(y);
    data.weight.push_back(1 + static_cast<double>(i % 2));
  }
  return data;
}

// Solves A x = b by elimination with pivots: no code of the library.
std::vector<double> eliminate(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]), std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double f = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= f * a[k][j];
      b[i] -= f * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

// Ridge with a free intercept over the rows that `use` admits; tau beside the summed loss. Intercept first.
template <class Use>
std::vector<double> ridge_of_rows(const Data& data, double tau, Use use) {
  std::vector<std::vector<double>> a(kCols + 1, std::vector<double>(kCols + 1));
  std::vector<double> b(kCols + 1);
  for (Index i = 0; i < kRows; ++i) {
    if (!use(i)) continue;
    std::vector<double> row{1};
    for (Index j = 0; j < kCols; ++j) row.push_back(data.x[i * kCols + j]);
    for (std::size_t r = 0; r < row.size(); ++r) {
      for (std::size_t c = 0; c < row.size(); ++c) a[r][c] += data.weight[i] * row[r] * row[c];
      b[r] += data.weight[i] * row[r] * data.y[i];
    }
  }
  for (std::size_t r = 1; r <= kCols; ++r) a[r][r] += tau;
  return eliminate(a, b);
}

double prediction(const Data& data, Index i, const std::vector<double>& wb) {
  double sum = wb[0];
  for (Index j = 0; j < kCols; ++j) sum += wb[j + 1] * data.x[i * kCols + j];
  return sum;
}

TEST(RidgePath, EveryPointAndFoldIsTheFitOfItsRows) {
  const Data data = random_data(1);
  FoldGrams grams(kCols, 1, Precision::standard, {.count = 4, .seed = 2});
  grams.accumulate(data.batch());
  const auto of = grams.folds.assign(0, kRows);
  Pool pool(2);
  const std::vector<double> lambdas{10, 1, 0.01};
  select::RidgePathProblem problem;
  problem.lambdas = lambdas;
  const auto points = select::ridge_path(problem, grams, 0, pool).points;
  const double total = grams.total().weight;
  for (std::size_t l = 0; l < lambdas.size(); ++l) {
    const auto whole = ridge_of_rows(data, lambdas[l] * total, [](Index) { return true; });
    EXPECT_NEAR(points[l].intercept, whole[0], 1e-9);
    for (Index j = 0; j < kCols; ++j) EXPECT_NEAR(points[l].coefficients[j], whole[j + 1], 1e-11);
    double all = 0;
    for (int k = 0; k < 4; ++k) {
      double weight = 0, sum = 0, trained = 0;
      for (Index i = 0; i < kRows; ++i) (of[i] == k ? weight : trained) += data.weight[i];
      const auto without = ridge_of_rows(data, lambdas[l] * trained, [&](Index i) { return of[i] != k; });
      for (Index i = 0; i < kRows; ++i)
        if (of[i] == k) sum += data.weight[i] * std::pow(data.y[i] - prediction(data, i, without), 2);
      EXPECT_NEAR(points[l].fold_error[k] / (sum / weight), 1, 1e-9);
      all += sum;
    }
    EXPECT_NEAR(points[l].cv_error / (all / total), 1, 1e-9);
  }
}

TEST(RidgePath, RowsDecomposedGiveThePointsOfColumnsDecomposed) {
  const Data data = random_data(6);
  FoldGrams grams(kCols, 1, Precision::standard, {.count = 3, .seed = 2});
  grams.accumulate(data.batch());
  const auto of = grams.folds.assign(0, kRows);
  Pool pool(1);
  const select::ColumnProblem columns{MatrixView::row_major(data.x.data(), kRows, kCols), data.y, data.weight};
  for (const LeastSquaresObjective& objective :
       {LeastSquaresObjective{.lambda2 = 1}, LeastSquaresObjective{.lambda2 = 1, .standardise = true},
        LeastSquaresObjective{.lambda2 = 1, .intercept = false}}) {
    const select::RidgePathProblem problem{.objective = objective, .lambdas = {3, 0.2}, .summed = !objective.intercept};
    const auto one = select::ridge_path(problem, grams, 0, pool).points;
    const auto other = select::ridge_path(problem, columns, of, 3).points;
    for (std::size_t l = 0; l < 2; ++l) {
      for (Index j = 0; j < kCols; ++j) EXPECT_NEAR(one[l].coefficients[j], other[l].coefficients[j], 1e-11);
      EXPECT_NEAR(one[l].intercept, other[l].intercept, 1e-9);
      EXPECT_NEAR(one[l].degrees_of_freedom, other[l].degrees_of_freedom, 1e-11);
      EXPECT_NEAR(one[l].mse / other[l].mse, 1, 1e-11);
      EXPECT_NEAR(one[l].cv_error / other[l].cv_error, 1, 1e-10);
    }
  }
}

TEST(ElasticNetPath, ColumnsInMemoryGiveThePathOfTheirGram) {
  const Data data = random_data(7);
  FoldGrams grams(kCols, 1, Precision::standard, {.count = 3, .seed = 2});
  grams.accumulate(data.batch());
  const auto of = grams.folds.assign(0, kRows);
  Pool pool(2);
  const select::ColumnProblem columns{MatrixView::row_major(data.x.data(), kRows, kCols), data.y, data.weight};
  const select::ElasticNetPathProblem problem{.tolerance = 1e-13, .count = 5, .ratio = 0.01};
  const auto one = select::solve_path(problem, grams, 0, pool, {});
  const auto other = select::solve_path(problem, columns, of, 3, pool, {});
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(one.points[k].lambda / other.points[k].lambda, 1, 1e-12);
    EXPECT_NEAR(one.points[k].cv_error / other.points[k].cv_error, 1, 1e-7);
    EXPECT_NEAR(one.points[k].mse / other.points[k].mse, 1, 1e-7);
  }
}

TEST(RidgePath, LeavingOneRowOutIsTheFitWithoutIt) {
  const Data data = random_data(3);
  Gram gram(kCols, 1);
  gram.accumulate(data.batch());
  const select::RidgeDecomposition ridge(gram, 0, {.lambda2 = 1});
  const std::vector<double> lambdas{5, 0.1};
  LeaveOneOut loo(ridge.directions(lambdas, 0));
  loo.accumulate(data.batch());
  for (std::size_t l = 0; l < lambdas.size(); ++l) {
    double sum = 0;
    for (Index i = 0; i < kRows; ++i) {
      const auto without = ridge_of_rows(data, lambdas[l] * gram.weight, [&](Index r) { return r != i; });
      sum += data.weight[i] / gram.weight * std::pow(data.y[i] - prediction(data, i, without), 2);
    }
    EXPECT_NEAR(loo.sum[l] / sum, 1, 1e-10);
  }
}

TEST(RidgePath, OneRowHasNothingToLearnFrom) {
  const std::vector<double> x{1, 2, 3}, y{5};
  const select::ColumnProblem data{MatrixView::row_major(x.data(), 1, 3), y, {}};
  const select::RidgeDecomposition ridge(data, {}, {.lambda2 = 1});
  const PathPoint point = ridge.at(1);
  EXPECT_THAT(point.coefficients, testing::ElementsAre(0, 0, 0));
  EXPECT_EQ(point.intercept, 5);
  LeaveOneOut loo(ridge.directions({1, 2}, 0));
  loo.accumulate({MatrixView::row_major(x.data(), 1, 3), MatrixView::vector(y.data(), 1), {}, {}, 0});
  EXPECT_TRUE(std::isinf(loo.sum[0]) && std::isinf(loo.sum[1]));
}

TEST(RidgePath, ARowThatDeterminesItsOwnFitHasAnInfiniteError) {
  Data data = random_data(4);
  for (Index i = 0; i < kRows; ++i) data.x[i * kCols] = i == 7 ? 1 : 0; // nothing else says what this column does
  Gram gram(kCols, 1);
  gram.accumulate(data.batch());
  LeaveOneOut loo(select::RidgeDecomposition(gram, 0, {}).directions({0}, 0));
  loo.accumulate(data.batch());
  EXPECT_TRUE(std::isinf(loo.sum[0]));
}

TEST(ElasticNetPath, FoldsAreFitsOfTheirOwnRows) {
  const Data data = random_data(5);
  FoldGrams grams(kCols, 1, Precision::standard, {.count = 3, .seed = 9});
  grams.accumulate(data.batch());
  const auto of = grams.folds.assign(0, kRows);
  Pool pool(2);
  const auto solved =
      select::solve_path({.l1_share = 0.6, .tolerance = 1e-13, .count = 6, .ratio = 0.01}, grams, 0, pool, {});
  ASSERT_EQ(solved.points.size(), 6u);
  EXPECT_EQ(solved.points[0].nonzero, 0);
  for (int k = 0; k < 3; ++k) {
    std::vector<double> weight(data.weight);
    for (Index i = 0; i < kRows; ++i)
      if (of[i] == k) weight[i] = 0;
    auto solver = elastic_net_by_columns(MatrixView::row_major(data.x.data(), kRows, kCols), data.y, weight, pool);
    for (const PathPoint& point : solved.points) {
      const auto alone = solver->solve({.lambda1 = 0.6 * point.lambda, .lambda2 = 0.4 * point.lambda}, 1e-14);
      double sum = 0, held = 0;
      for (Index i = 0; i < kRows; ++i) {
        if (of[i] != k) continue;
        std::vector<double> wb{alone.b};
        wb.insert(wb.end(), alone.w.begin(), alone.w.end());
        sum += data.weight[i] * std::pow(data.y[i] - prediction(data, i, wb), 2);
        held += data.weight[i];
      }
      EXPECT_NEAR(point.fold_error[k] / (sum / held), 1, 1e-6);
    }
  }
}

Path path_with_cv(std::vector<double> cv, double error) {
  Path path;
  for (const double mse : cv) {
    PathPoint point;
    point.cv_error = mse;
    point.cv_standard_error = error;
    point.loo_mse = std::numeric_limits<double>::quiet_NaN();
    path.points.push_back(point);
  }
  return path;
}

TEST(Choice, OneStandardErrorTakesTheLargestPenaltyThatIsAsGood) {
  const Path path = path_with_cv({9, 5.4, 5.2, 5, 5.1}, 0.3);
  EXPECT_EQ(path.choose("cv").value(), 3);
  EXPECT_EQ(path.choose("1se").value(), 2);
}

TEST(Choice, WhatWasNotMeasuredAndWhatDoesNotExistAreRefused) {
  const Path path = path_with_cv({1}, 0);
  EXPECT_THAT(path.choose("loo").error().text(), testing::HasSubstr("without it"));
  EXPECT_THAT(path.choose("best").error().text(), testing::HasSubstr("cv, 1se, loo, gcv, aic, bic, cp"));
}

TEST(Grid, FallsEvenlyInTheLogarithm) {
  const auto grid = select::lambda_grid(8, 1.0 / 64, 7);
  for (int k = 0; k < 7; ++k) EXPECT_NEAR(grid[static_cast<std::size_t>(k)], std::ldexp(8, -k), 1e-14);
}

} // namespace
} // namespace recta
