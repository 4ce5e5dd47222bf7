#include "solver/newton/approach.hpp"
#include "solver/newton/row_sample.hpp"
#include "solver/newton/test_wide_problems.hpp"
#include "stats/rows.hpp"

namespace recta {
namespace {

using testing::facts_of;
using testing::Labelled;

struct Fit {
  NewtonSolution solution;
  Certificate certificate;
};

Fit fit(const LossObjective& objective, double tolerance, RowSource& rows, int threads = 2) {
  Pool pool(threads);
  const LossFacts facts = facts_of(objective, rows, pool);
  auto solution = solve_by_newton({objective, &facts, tolerance}, rows, pool);
  EXPECT_TRUE(solution);
  const LossClaimed claimed{.objective = objective,
                            .facts = &facts,
                            .w = solution->w,
                            .b = solution->b,
                            .tolerance = tolerance,
                            .passes = solution->passes};
  return {*solution, certify(claimed, nullptr, &rows, pool)->certificate};
}

// Exact Newton steps from the best constant: the answer without an approach.
NewtonSolution exact(const LossObjective& objective, RowSource& rows) {
  Pool pool(2);
  const LossFacts facts = facts_of(objective, rows, pool);
  NewtonProblem problem{objective, &facts};
  problem.start.assign(static_cast<std::size_t>(rows.cols()), 0.0);
  problem.start.push_back(facts.null_intercept);
  return *solve_by_newton(problem, rows, pool);
}

bool approached(const LossObjective& objective, RowSource& rows) {
  Pool pool(2);
  const LossFacts facts = facts_of(objective, rows, pool);
  return worth_approaching({objective, &facts}, rows);
}

void expect_same(const NewtonSolution& found, const NewtonSolution& sought, double accuracy) {
  double largest = std::abs(sought.b);
  for (const double w : sought.w) largest = std::max(largest, std::abs(w));
  EXPECT_NEAR(found.b, sought.b, accuracy * largest);
  for (std::size_t j = 0; j < sought.w.size(); ++j) EXPECT_NEAR(found.w[j], sought.w[j], accuracy * largest);
}

Labelled many_rows() {
  Labelled rows = Labelled::make(8000, 12, 8);
  for (Index i = 0; i < rows.n; ++i)
    for (Index j = 0; j < rows.p; ++j) // scales apart, one column far from zero
      rows.dense[i * rows.p + j] = rows.dense[i * rows.p + j] * (j == 3 ? 1e3 : j == 4 ? 1e-3 : 1) + (j == 5 ? 40 : 0);
  rows.compress();
  return rows;
}

TEST(Approach, EndsWhereTheExactStepsDo) {
  const Labelled rows = many_rows();
  auto dense = rows.dense_rows();
  auto sparse = rows.sparse_rows();
  for (const double lambda2 : {0.0, 1e-4, 1e-2}) {
    const LossObjective objective{.loss = "logistic", .lambda2 = lambda2};
    ASSERT_TRUE(approached(objective, dense));
    const NewtonSolution sought = exact(objective, dense);
    for (RowSource* source : {static_cast<RowSource*>(&dense), static_cast<RowSource*>(&sparse)}) {
      const Fit found = fit(objective, 1e-10, *source);
      expect_same(found.solution, sought, 1e-12);
      EXPECT_EQ(found.certificate.verdict, Verdict::proved);
      EXPECT_TRUE(found.solution.runaway.empty());
    }
  }
}

TEST(Approach, StopsWhereTheToleranceIsProvedAndNoLater) {
  const Labelled rows = many_rows();
  auto source = rows.dense_rows();
  for (const double lambda2 : {0.0, 1e-4}) {
    Index before = 0;
    for (const double tolerance : {1e-2, 1e-6, 1e-10}) {
      if (tolerance == 1e-2 && lambda2 == 0) continue; // steps go as far as those of a likelihood without a maximum
      const Fit found = fit({.loss = "logistic", .lambda2 = lambda2}, tolerance, source);
      EXPECT_EQ(found.certificate.verdict, Verdict::proved) << tolerance;
      EXPECT_GT(found.solution.passes, before) << tolerance;
      before = found.solution.passes;
    }
  }
}

// 1,000 rows are too few for a sample.
TEST(Newton, StopsWhereALooseToleranceIsProved) {
  const Labelled rows = Labelled::make(1000, 12, 8);
  auto source = rows.dense_rows();
  const LossObjective objective{.loss = "logistic", .lambda2 = 1e-3};
  ASSERT_FALSE(approached(objective, source));
  Index before = 0;
  for (const double tolerance : {1e-1, 1e-4, 1e-10}) {
    const Fit found = fit(objective, tolerance, source);
    EXPECT_EQ(found.certificate.verdict, Verdict::proved) << tolerance;
    EXPECT_GT(found.solution.passes, before) << tolerance;
    before = found.solution.passes;
  }
}

TEST(Approach, HonoursWeightsAndOffsetsAndALackingIntercept) {
  Labelled rows = many_rows();
  for (Index i = 0; i < rows.n; ++i) {
    rows.weight.push_back(static_cast<double>(i % 4) / 2);
    rows.offset.push_back(0.1 * static_cast<double>(i % 7));
    if (rows.weight.back() == 0) rows.dense[i * rows.p] = std::nan("");
  }
  auto source = rows.dense_rows();
  for (const bool intercept : {true, false}) {
    const LossObjective objective{.loss = "logistic", .lambda2 = 1e-3, .intercept = intercept};
    ASSERT_TRUE(approached(objective, source));
    expect_same(fit(objective, 1e-10, source).solution, exact(objective, source), 1e-12);
    EXPECT_EQ(fit(objective, 1e-6, source).certificate.verdict, Verdict::proved);
  }
}

// The rows of the sample are all of one class, and lack a column that others have.
TEST(Approach, IsNotMisledByItsSample) {
  Labelled rows = many_rows();
  for (Index i = 0; i < rows.n; ++i) {
    const bool seen = i % 8 == 4;
    if (seen) rows.y[i] = 1;
    rows.dense[i * rows.p + 7] = seen ? 0 : rows.dense[i * rows.p + 7];
  }
  auto source = rows.dense_rows();
  for (const double lambda2 : {0.0, 1e-5}) {
    const LossObjective objective{.loss = "logistic", .lambda2 = lambda2};
    ASSERT_TRUE(approached(objective, source));
    expect_same(fit(objective, 1e-10, source).solution, exact(objective, source), 1e-11);
    EXPECT_EQ(fit(objective, 1e-6, source).certificate.verdict, Verdict::proved);
  }
}

TEST(Approach, LeavesALikelihoodWithoutAMaximumToTheExactSteps) {
  Labelled rows = many_rows();
  for (Index i = 0; i < rows.n; ++i) rows.y[i] = rows.dense[i * rows.p] + 0.01 > rows.dense[i * rows.p + 1] ? 1 : -1;
  auto source = rows.dense_rows();
  for (const double tolerance : {1e-3, 1e-6, 1e-10})
    EXPECT_FALSE(fit({.loss = "logistic"}, tolerance, source).solution.runaway.empty()) << tolerance;
}

TEST(Approach, HasTheSameBitsAtAnyNumberOfThreads) {
  const Labelled rows = many_rows();
  auto source = rows.sparse_rows();
  for (const double tolerance : {1e-6, 1e-10}) {
    const LossObjective objective{.loss = "logistic", .lambda2 = 1e-4};
    const Fit one = fit(objective, tolerance, source, 1);
    for (const int threads : {2, 5}) {
      const Fit many = fit(objective, tolerance, source, threads);
      EXPECT_EQ(many.solution.w, one.solution.w);
      EXPECT_EQ(many.solution.b, one.solution.b);
    }
  }
}

TEST(Approach, GivesTheBestSoFarWhenItIsStopped) {
  const Labelled rows = many_rows();
  auto source = rows.dense_rows();
  Pool pool(1);
  const LossObjective objective{.loss = "logistic", .lambda2 = 1e-4};
  const LossFacts facts = facts_of(objective, source, pool);
  for (const Index passes : {1, 2, 3, 4}) {
    Index asked = 0;
    const auto found = solve_by_newton({objective, &facts}, source, pool, [&](const Progress& p) {
      ++asked;
      return p.pass < passes;
    });
    EXPECT_GT(asked, 0);
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->interrupted);
    EXPECT_EQ(std::ssize(found->w), rows.p);
  }
}

TEST(RowSample, HasRowsApartAndTheWeightOfAll) {
  Labelled rows = Labelled::make(1000, 5, 3);
  std::vector<Index> sought;
  for (Index i = 0; i < rows.n; ++i) {
    rows.weight.push_back(static_cast<double>(i % 3));
    if (i % 10 == 5 && i % 3 > 0) sought.push_back(i);
  }
  auto source = rows.dense_rows();
  auto sample = RowSample::take(source, 10, 250);
  ASSERT_TRUE(sample);
  double weight = 0;
  std::size_t place = 0;
  ASSERT_TRUE(for_each_batch(sample->rows(), [&](const Batch& batch) -> Result<void> {
    for (Index i = 0; i < batch.rows(); ++i, ++place) {
      EXPECT_EQ(element(batch.target, i, 0), rows.y[sought.at(place)]);
      for (Index j = 0; j < rows.p; ++j)
        EXPECT_EQ(element(std::get<MatrixView>(batch.x), i, j), rows.dense[sought[place] * rows.p + j]);
      weight += batch.weight[i];
    }
    return {};
  }));
  EXPECT_EQ(place, sought.size());
  EXPECT_NEAR(weight, 250, 1e-10);
}

} // namespace
} // namespace recta
