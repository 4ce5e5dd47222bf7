#include "objective/test_rows.hpp"
#include "solver/softmax/softmax.hpp"
#include "stats/reduce.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace recta {
namespace {

constexpr double kUp = 2.5; // of the classes' own weights in the rows that are drawn

// Rows of normal numbers, classes by the weights of the first columns.
testing::Rows drawn(Index n, Index p, Index classes, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> x, y;
  for (Index i = 0; i < n; ++i) {
    std::vector<double> row;
    for (Index j = 0; j < p; ++j) row.push_back(normal(random) + (j == 0 ? 3 : 0));
    Index own = 0;
    double best = -INFINITY;
    for (Index k = 0; k < classes; ++k) {
      const double z = (k < p ? kUp * row[k] : 0) + 2 * normal(random);
      if (z > best) best = z, own = k;
    }
    x.insert(x.end(), row.begin(), row.end());
    y.push_back(static_cast<double>(own));
  }
  return {n, p, std::move(x), std::move(y)};
}

SoftmaxProblem problem_of(testing::Rows& rows, Index classes) {
  SoftmaxProblem out{.classes = classes, .rows = rows.n};
  for (Index j = 0; j < rows.p; ++j) {
    double sum = 0, square = 0;
    for (Index i = 0; i < rows.n; ++i) sum += rows.x[i * rows.p + j];
    const double mean = sum / static_cast<double>(rows.n);
    for (Index i = 0; i < rows.n; ++i) square += std::pow(rows.x[i * rows.p + j] - mean, 2);
    out.mean.push_back(mean);
    out.sd.push_back(std::sqrt(square / static_cast<double>(rows.n)));
    out.unit.push_back(j == 1 ? 4 : 1);
  }
  out.start.assign(static_cast<std::size_t>(classes), 0.0);
  out.null_objective = std::log(static_cast<double>(classes));
  return out;
}

// Conditions that hold only at the optimum: the slopes of the loss balance those of the penalties. A slope is in the
// unit of its column, and so is the distance from zero it may have.
void expect_conditions(const testing::Rows& rows, const SoftmaxProblem& problem, const SoftmaxSolution& found) {
  const Index p = rows.p, classes = problem.classes;
  std::vector<double> slope(static_cast<std::size_t>(p * classes)), total(static_cast<std::size_t>(classes));
  for (Index i = 0; i < rows.n; ++i) {
    std::vector<double> e;
    double sum = 0;
    for (Index k = 0; k < classes; ++k) {
      double z = found.b[k];
      for (Index j = 0; j < p; ++j) z += found.w[k * p + j] * rows.x[i * p + j];
      sum += e.emplace_back(std::exp(z));
    }
    for (Index k = 0; k < classes; ++k) {
      const double d = ((static_cast<Index>(rows.y[i]) == k ? 1 : 0) - e[k] / sum) / static_cast<double>(rows.n);
      total[k] += d;
      for (Index j = 0; j < p; ++j) slope[k * p + j] += d * rows.x[i * p + j];
    }
  }
  for (Index k = 0; k < classes; ++k) EXPECT_NEAR(problem.intercept ? total[k] : 0, 0, 1e-13);
  for (Index s = 0; s < p * classes; ++s) {
    const double l1 = problem.lambda1 * std::sqrt(problem.unit[s % p]), l2 = problem.lambda2 * problem.unit[s % p];
    const double w = found.w[s], rest = slope[s] - l2 * w, near = 1e-12 * std::max(1.0, problem.sd[s % p]);
    if (w == 0)
      EXPECT_LE(std::abs(rest), l1 + near) << s;
    else
      EXPECT_NEAR(rest, l1 > 0 ? std::copysign(l1, w) : 0, near) << s;
  }
}

SoftmaxSolution solved(const SoftmaxProblem& problem, testing::Rows& rows) {
  Pool pool(2);
  auto found = solve_softmax(problem, rows, pool);
  EXPECT_TRUE(found) << found.error().what;
  EXPECT_FALSE(found->gave_up) << found->stop.text();
  return *std::move(found);
}

TEST(Softmax, MeetsItsConditionsByEveryMetric) {
  for (const bool sparse : {false, true}) {
    testing::Rows rows = drawn(300, 6, 4, 11);
    rows.sparse = sparse;
    SoftmaxProblem problem = problem_of(rows, 4);
    problem.lambda2 = 0.01;
    Pool pool(2);
    const auto gram = reduce_whole(rows, Gram(6, 1), pool, {}, {});
    problem.gram = &*gram;
    const SoftmaxSolution by_blocks = solved(problem, rows);
    expect_conditions(rows, problem, by_blocks);
    problem.gram = nullptr;
    problem.wide = true;
    const SoftmaxSolution by_diagonal = solved(problem, rows);
    expect_conditions(rows, problem, by_diagonal);
    for (std::size_t s = 0; s < by_blocks.w.size(); ++s) EXPECT_NEAR(by_blocks.w[s], by_diagonal.w[s], 1e-9);
  }
}

// Rows with zeros in them, served compressed, as required by the solver that keeps rows by panels of classes.
testing::Rows with_zeros(Index n, Index p, Index classes, unsigned seed) {
  testing::Rows rows = drawn(n, p, classes, seed);
  for (std::size_t s = 0; s < rows.x.size(); ++s)
    if (s % 3 == 1) rows.x[s] = 0;
  rows.sparse = true;
  return rows;
}

SoftmaxProblem wide_problem_of(testing::Rows& rows, Index classes, bool intercept) {
  SoftmaxProblem out = problem_of(rows, classes);
  out.lambda2 = 0.01;
  out.intercept = intercept;
  out.wide = out.sparse = true;
  return out;
}

TEST(ConjugateSoftmax, MeetsItsConditions) {
  for (const Index classes : {3, 8, 11})
    for (const bool intercept : {true, false}) {
      testing::Rows rows = with_zeros(400, 7, classes, 31);
      SoftmaxProblem problem = wide_problem_of(rows, classes, intercept);
      const SoftmaxSolution found = solved(problem, rows);
      expect_conditions(rows, problem, found);
      problem.sparse = false; // and Newton's method without panels says the same
      const SoftmaxSolution other = solved(problem, rows);
      for (std::size_t s = 0; s < found.w.size(); ++s) EXPECT_NEAR(found.w[s], other.w[s], 1e-9);
      problem.sparse = true;
      problem.weights = found.w;
      problem.start = found.b;
      for (Index k = 0; k < classes && intercept; ++k)
        for (Index j = 0; j < rows.p; ++j) problem.start[k] += problem.mean[j] * found.w[k * rows.p + j];
      EXPECT_LE(solved(problem, rows).steps, 1); // from there on there is nowhere to go
    }
}

// Far more columns than rows: the search is in the space that the rows span.
TEST(ConjugateSoftmax, OfFewRowsMeetsItsConditions) {
  for (const Index classes : {3, 9})
    for (const bool intercept : {true, false}) {
      testing::Rows rows = with_zeros(30, 500, classes, 34);
      std::copy_n(rows.x.begin(), 500, rows.x.begin() + 4 * 500); // twice the same
      SoftmaxProblem problem = wide_problem_of(rows, classes, intercept);
      const SoftmaxSolution found = solved(problem, rows);
      expect_conditions(rows, problem, found);
      Pool one(1);
      EXPECT_EQ(solve_softmax(problem, rows, one)->w, found.w); // the same bits
    }
}

TEST(ConjugateSoftmax, IsAsNearAsAskedForAndNoNearer) {
  testing::Rows rows = with_zeros(600, 8, 5, 32);
  SoftmaxProblem problem = problem_of(rows, 5);
  problem.lambda2 = 1e-3;
  problem.wide = problem.sparse = true;
  const SoftmaxSolution near = solved(problem, rows);
  problem.tolerance = 1e-4;
  const SoftmaxSolution loose = solved(problem, rows);
  EXPECT_LT(loose.passes, near.passes);
  double away = 0; // lambda2 / 2 |w - w*|^2 is at most F - F*
  for (std::size_t s = 0; s < near.w.size(); ++s)
    away += problem.lambda2 / 2 * problem.unit[s % 8] * std::pow(loose.w[s] - near.w[s], 2);
  EXPECT_LE(away, problem.tolerance * problem.null_objective);
  EXPECT_GT(away, 0);
}

// If a weak penalty lets classes nearly separate, the curvature at the start is no guide to that at the end.
TEST(ConjugateSoftmax, IsNotHeldUpByACurvatureOfLongAgo) {
  for (const unsigned kept : {2U, 10U})
    for (const double lambda2 : {1e-3, 1e-5, 1e-7}) {
      testing::Rows rows = with_zeros(100, 300, 13, 41);
      for (std::size_t s = 0; s < rows.x.size(); ++s)
        rows.x[s] *= s * 2654435761U % 97 > kept ? 0 : s % 300 > 150 ? 0.01 : 1;
      SoftmaxProblem problem = problem_of(rows, 13);
      problem.lambda2 = lambda2;
      problem.tolerance = 3e-10;
      problem.wide = problem.sparse = true;
      (void)solved(problem, rows);
    }
}

TEST(ConjugateSoftmax, HasTheSameBitsOnAnyNumberOfThreads) {
  testing::Rows rows = with_zeros(3000, 9, 10, 33);
  SoftmaxProblem problem = problem_of(rows, 10);
  problem.lambda2 = 1e-3;
  problem.wide = problem.sparse = true;
  Pool one(1), three(3);
  const auto a = solve_softmax(problem, rows, one), b = solve_softmax(problem, rows, three);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->w, b->w);
  EXPECT_EQ(a->b, b->b);
}

TEST(ConjugateSoftmax, StopsWhereItIsTold) {
  testing::Rows rows = with_zeros(300, 6, 4, 34);
  SoftmaxProblem problem = problem_of(rows, 4);
  problem.lambda2 = 1e-3;
  problem.wide = problem.sparse = true;
  Pool pool(1);
  const auto found = solve_softmax(problem, rows, pool, [](const Progress&) { return false; });
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->interrupted);
  for (const double w : found->w) EXPECT_EQ(w, 0);
}

// Columns that vary together across classes: the diagonal blocks would need hundreds of passes for them.
TEST(Softmax, MeetsItsConditionsByTheWholeHessian) {
  for (const double lambda2 : {1e-6, 0.1}) {
    testing::Rows rows = drawn(500, 5, 4, 35);
    for (Index i = 0; i < rows.n; ++i)
      for (Index j = 0; j < rows.p; ++j) rows.x[i * rows.p + j] = 20 * rows.x[i * rows.p + j] + 15 * rows.x[i * rows.p];
    SoftmaxProblem problem = problem_of(rows, 4);
    problem.lambda2 = lambda2;
    const SoftmaxSolution found = solved(problem, rows);
    expect_conditions(rows, problem, found);
    for (Index j = 0; j < rows.p; ++j) {
      double sum = 0;
      for (Index k = 0; k < 4; ++k) sum += found.w[k * rows.p + j];
      EXPECT_NEAR(sum, 0, 1e-14);
    }
  }
}

TEST(SparseSoftmax, MeetsItsConditionsByEveryMetric) {
  testing::Rows rows = drawn(300, 6, 4, 12);
  for (const bool intercept : {true, false})
    for (const double lambda2 : {0.0, 0.02}) {
      SoftmaxProblem problem = problem_of(rows, 4);
      problem.lambda1 = 0.01;
      problem.lambda2 = lambda2;
      problem.intercept = intercept;
      const SoftmaxSolution whole = solved(problem, rows);
      expect_conditions(rows, problem, whole);
      problem.whole = 0;
      const SoftmaxSolution by_blocks = solved(problem, rows);
      expect_conditions(rows, problem, by_blocks);
      problem.wide = true;
      const SoftmaxSolution by_diagonal = solved(problem, rows);
      expect_conditions(rows, problem, by_diagonal);
      Index zeros = 0;
      for (std::size_t s = 0; s < whole.w.size(); ++s) {
        EXPECT_NEAR(whole.w[s], by_blocks.w[s], 1e-9);
        EXPECT_NEAR(whole.w[s], by_diagonal.w[s], 1e-9);
        zeros += whole.w[s] == 0 ? 1 : 0;
      }
      EXPECT_GT(zeros, 4);
      EXPECT_LT(zeros, 20);
    }
}

TEST(SparseSoftmax, FromItsLargestPenaltyOnAllWeightsAreZero) {
  testing::Rows rows = drawn(200, 5, 3, 13);
  SoftmaxProblem problem = problem_of(rows, 3);
  problem.lambda1 = 0.01;
  const double most = solved(problem, rows).lambda1_max;
  problem.lambda1 = most * (1 + 1e-9);
  for (const double w : solved(problem, rows).w) EXPECT_EQ(w, 0);
  problem.lambda1 = most * 0.999;
  Index used = 0;
  for (const double w : solved(problem, rows).w) used += w != 0 ? 1 : 0;
  EXPECT_EQ(used, 1);
}

// Shifting the weights of a column alike gives the same probabilities: with an even number of classes there is a whole
// interval of answers, and the given one has a zero in it.
TEST(SparseSoftmax, OfSeveralAnswersGivesOneWithAZeroAColumn) {
  testing::Rows rows = drawn(400, 2, 4, 14);
  SoftmaxProblem problem = problem_of(rows, 4);
  problem.lambda1 = 1e-4;
  const SoftmaxSolution found = solved(problem, rows);
  expect_conditions(rows, problem, found);
  for (Index j = 0; j < 2; ++j) {
    Index zeros = 0;
    for (Index k = 0; k < 4; ++k) zeros += found.w[k * 2 + j] == 0 ? 1 : 0;
    EXPECT_GE(zeros, 1) << j;
  }
}

TEST(SparseSoftmax, TwoEqualColumnsDoNotHoldItUp) {
  testing::Rows rows = drawn(200, 4, 3, 15);
  for (Index i = 0; i < rows.n; ++i) rows.x[i * 4 + 3] = rows.x[i * 4];
  SoftmaxProblem problem = problem_of(rows, 3);
  problem.lambda1 = 1e-3;
  expect_conditions(rows, problem, solved(problem, rows));
}

TEST(Softmax, IsTheSameAnswerFromWhereverItBegins) {
  testing::Rows rows = drawn(300, 6, 4, 17);
  for (const double lambda1 : {0.0, 0.01})
    for (const bool wide : {false, true}) {
      SoftmaxProblem problem = problem_of(rows, 4);
      problem.lambda1 = lambda1;
      problem.lambda2 = 0.01;
      problem.wide = wide;
      const SoftmaxSolution from_zero = solved(problem, rows);
      problem.start = {1, 2, -1, 0.5};
      for (int s = 0; s < 24; ++s) problem.weights.push_back(s % 5 == 0 ? 0 : 0.1 * s - 1); // their sums are not zero
      const SoftmaxSolution from_there = solved(problem, rows);
      expect_conditions(rows, problem, from_there);
      for (std::size_t s = 0; s < 24; ++s) EXPECT_NEAR(from_there.w[s], from_zero.w[s], 1e-8) << lambda1 << wide;
      problem.weights = from_zero.w; // and all columns that are needed are in use
      problem.start = from_zero.b;
      expect_conditions(rows, problem, solved(problem, rows));
    }
}

TEST(Softmax, HasTheSameBitsOnAnyNumberOfThreads) {
  testing::Rows rows = drawn(3000, 6, 4, 16);
  for (const double lambda1 : {0.0, 0.01}) {
    SoftmaxProblem problem = problem_of(rows, 4);
    problem.lambda1 = lambda1;
    problem.lambda2 = 0.01;
    problem.wide = true;
    Pool one(1), three(3);
    const auto a = solve_softmax(problem, rows, one), b = solve_softmax(problem, rows, three);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->w, b->w);
    EXPECT_EQ(a->b, b->b);
  }
}

} // namespace
} // namespace recta
