#include "solver/newton/columns.hpp"
#include "solver/newton/test_wide_problems.hpp"

#include <limits>

namespace recta {
namespace {

using testing::Labelled;

// Compressed columns of rows, or dense ones.
struct ByColumn {
  std::vector<double> value;
  std::vector<std::int32_t> start{0}, index;
  std::vector<double> dense;
  ColumnRows rows;

  ByColumn(const Labelled& data, bool sparse) {
    for (Index j = 0; j < data.p; ++j) {
      for (Index i = 0; i < data.n; ++i) {
        const double x = data.dense[i * data.p + j];
        dense.push_back(x);
        if (x != 0) index.push_back(static_cast<std::int32_t>(i)), value.push_back(x);
      }
      start.push_back(static_cast<std::int32_t>(index.size()));
    }
    if (sparse)
      rows.x = SparseView{
          data.n, data.p, start.data(), index.data(), value.data(), IndexWidth::bits32, Compressed::by_column};
    else
      rows.x = MatrixView::col_major(dense.data(), data.n, data.p);
    rows.y = data.y;
    rows.weight = data.weight;
    rows.offset = data.offset;
  }
};

// Conditions that hold only at the optimum: the slopes of the loss balance those of the penalties.
void expect_conditions(const Labelled& data, const LossObjective& objective, const LossFacts& facts,
                       const NewtonSolution& found) {
  std::vector<double> slope(static_cast<std::size_t>(data.p));
  double total = 0;
  for (Index i = 0; i < data.n; ++i) {
    const double v = data.weight.empty() ? 1 : data.weight[i];
    if (v == 0) continue;
    double z = found.b + (data.offset.empty() ? 0 : data.offset[i]);
    for (Index j = 0; j < data.p; ++j) z += found.w[j] * data.dense[i * data.p + j];
    const double d = v / facts.weight() * data.y[i] / (1 + std::exp(data.y[i] * z));
    total += d;
    for (Index j = 0; j < data.p; ++j) slope[j] += d * data.dense[i * data.p + j];
  }
  EXPECT_NEAR(objective.intercept ? total : 0, 0, 1e-14);
  for (Index j = 0; j < data.p; ++j) {
    const double unit = facts.unit(objective, j), w = found.w[j];
    const double rest = slope[j] - objective.lambda2 * unit * unit * w;
    if (w == 0) {
      EXPECT_LE(std::abs(rest), objective.lambda1 * unit + 1e-13);
      continue;
    }
    EXPECT_NEAR(rest, std::copysign(objective.lambda1 * unit, w), 1e-13);
  }
}

// Compares the method over columns with the one from p x p sums, whose steps end when F no longer tells: some digits
// fewer.
void expect_the_same(const Labelled& data, const LossObjective& objective, double within = 1e-8) {
  SCOPED_TRACE(::testing::Message() << "lambda1 " << objective.lambda1 << ", lambda2 " << objective.lambda2);
  Pool pool(2);
  auto rows = data.sparse_rows();
  const LossFacts facts = testing::facts_of(objective, rows, pool);
  const NewtonProblem problem{objective, &facts, objective.lambda2 > 0 ? 1e-24 : 1e-15}; // squares: w by the root
  const auto oracle = solve_by_proximal_newton(problem, rows, pool);
  ASSERT_TRUE(oracle);
  for (const bool sparse : {true, false}) {
    const ByColumn columns(data, sparse);
    const ProximalSolution ours = solve_by_column_newton(problem, columns.rows, pool);
    for (Index j = 0; j < data.p; ++j) {
      EXPECT_NEAR(ours.newton.w[j], oracle->newton.w[j], within * (1 + std::abs(oracle->newton.w[j]))) << j;
      EXPECT_EQ(ours.newton.w[j] == 0, oracle->newton.w[j] == 0) << j;
    }
    EXPECT_NEAR(ours.newton.b, oracle->newton.b, within);
    expect_conditions(data, objective, facts, ours.newton);
    EXPECT_NEAR(ours.lambda1_max, oracle->lambda1_max, 1e-14);
    const auto checked = testing::checked_of(objective, facts, ours.newton, rows, pool, true);
    EXPECT_EQ(checked.certificate.verdict, Verdict::proved) << checked.certificate.sentence();
  }
}

TEST(ColumnNewton, FindsWhatNewtonFindsFromProductsOfAllColumns) {
  const Labelled data = Labelled::make(700, 60, 8);
  for (const double lambda1 : {2e-2, 5e-3, 1e-4})
    for (const double lambda2 : {0.0, 1e-3})
      for (const bool intercept : {true, false})
        expect_the_same(data, {.loss = "logistic", .lambda1 = lambda1, .lambda2 = lambda2, .intercept = intercept});
  expect_the_same(data, {.loss = "logistic", .lambda1 = 1e-2, .standardise = true});
  expect_the_same(data, {.loss = "logistic", .lambda1 = 1e-2, .lambda2 = 1e-2, .standardise = true});
}

TEST(ColumnNewton, TakesWeightsAndOffsetsAndLeavesOutRowsWithoutWeight) {
  Labelled data = Labelled::make(500, 30, 6);
  for (Index i = 0; i < data.n; ++i) {
    data.weight.push_back(static_cast<double>(i % 4));
    data.offset.push_back(0.1 * static_cast<double>(i % 7) - 0.3);
    if (i % 4 == 0) data.y[i] = std::numeric_limits<double>::quiet_NaN();
  }
  data.compress();
  expect_the_same(data, {.loss = "logistic", .lambda1 = 5e-3});
}

TEST(ColumnNewton, FindsTheAnswerOfFewerRowsThanColumns) {
  Labelled data = Labelled::make(60, 200, 25);
  for (Index i = 0; i < data.n; ++i) data.dense[i * data.p + 5] = 0;
  for (Index i = 0; i < data.n; ++i) data.dense[i * data.p + 6] = 3;
  data.compress();
  expect_the_same(data, {.loss = "logistic", .lambda1 = 2e-2});
  expect_the_same(data, {.loss = "logistic", .lambda1 = 1e-3, .lambda2 = 1e-3});
}

// x = 1 and 7 of 10 labels 1, without an intercept: |s - 0.7| = lambda1, and zero from 0.2 on.
TEST(ColumnNewton, FindsTheAnswerThatCanBeDoneOnPaper) {
  Labelled data{.n = 10, .p = 1, .dense = std::vector<double>(10, 1.0)};
  for (Index i = 0; i < 10; ++i) data.y.push_back(i < 7 ? 1 : -1);
  data.compress();
  auto rows = data.sparse_rows();
  const ByColumn columns(data, true);
  Pool pool(1);
  for (const double lambda1 : {0.1, 0.2, 0.3}) {
    const LossObjective objective{.loss = "logistic", .lambda1 = lambda1, .intercept = false};
    const LossFacts facts = testing::facts_of(objective, rows, pool);
    const ProximalSolution found = solve_by_column_newton({objective, &facts}, columns.rows, pool);
    EXPECT_NEAR(found.newton.w[0], lambda1 < 0.2 ? std::log(0.6 / 0.4) : 0, 1e-9);
    EXPECT_NEAR(found.lambda1_max, 0.2, 1e-15);
  }
}

// If two columns are equal, any split between them is an answer; their sum is the coefficient of one alone.
TEST(ColumnNewton, ProvesAnAnswerWithTheSameColumnTwice) {
  Labelled once = Labelled::make(300, 20, 6), twice = once;
  for (Index i = 0; i < once.n; ++i) twice.dense[i * 20 + 3] = once.dense[i * 20 + 3] = once.dense[i * 20];
  for (Index i = 0; i < once.n; ++i) once.dense[i * 20 + 3] = 0;
  once.compress(), twice.compress();
  Pool pool(1);
  const LossObjective objective{.loss = "logistic", .lambda1 = 2e-3};
  std::vector<double> found[2];
  for (const Labelled* data : {&once, &twice}) {
    auto rows = data->sparse_rows();
    const ByColumn columns(*data, true);
    const LossFacts facts = testing::facts_of(objective, rows, pool);
    const ProximalSolution solution = solve_by_column_newton({objective, &facts, 1e-14}, columns.rows, pool);
    found[data == &twice] = solution.newton.w;
    EXPECT_EQ(testing::checked_of(objective, facts, solution.newton, rows, pool, true).certificate.verdict,
              Verdict::proved);
  }
  ASSERT_GT(std::abs(found[0][0]), 0.1);
  EXPECT_NEAR(found[1][0] + found[1][3], found[0][0], 1e-9);
}

TEST(ColumnNewton, HasTheSameBitsAtAnyNumberOfThreads) {
  const Labelled data = Labelled::make(900, 9000, 40);
  auto rows = data.sparse_rows();
  const LossObjective objective{.loss = "logistic", .lambda1 = 2e-4, .lambda2 = 1e-6};
  Pool pool(1);
  const LossFacts facts = testing::facts_of(objective, rows, pool);
  for (const bool sparse : {true, false}) {
    const ByColumn columns(data, sparse);
    const ProximalSolution one = solve_by_column_newton({objective, &facts}, columns.rows, pool);
    EXPECT_EQ(testing::checked_of(objective, facts, one.newton, rows, pool, true).certificate.verdict, Verdict::proved);
    for (const int threads : {2, 5}) {
      Pool more(threads);
      const ProximalSolution many = solve_by_column_newton({objective, &facts}, columns.rows, more);
      EXPECT_EQ(many.newton.w, one.newton.w);
      EXPECT_EQ(many.newton.b, one.newton.b);
    }
  }
}

TEST(ColumnNewton, EndsWhereAPlaneSeparatesTheClasses) {
  const Labelled data = Labelled::make(60, 100, 30);
  auto rows = data.sparse_rows();
  const ByColumn columns(data, true);
  Pool pool(1);
  const LossObjective objective{.loss = "logistic", .lambda1 = 1e-7};
  const LossFacts facts = testing::facts_of(objective, rows, pool);
  const ProximalSolution found = solve_by_column_newton({objective, &facts}, columns.rows, pool);
  EXPECT_EQ(testing::checked_of(objective, facts, found.newton, rows, pool, true).certificate.verdict, Verdict::proved);
}

TEST(ColumnNewton, GivesTheBestSoFarWhenItIsStopped) {
  const Labelled data = Labelled::make(400, 50, 10);
  auto rows = data.sparse_rows();
  const ByColumn columns(data, true);
  Pool pool(1);
  const LossObjective objective{.loss = "logistic", .lambda1 = 1e-3};
  const LossFacts facts = testing::facts_of(objective, rows, pool);
  const auto found =
      solve_by_column_newton({objective, &facts}, columns.rows, pool, [](const Progress&) { return false; });
  EXPECT_TRUE(found.newton.interrupted);
  EXPECT_DOUBLE_EQ(found.newton.b, facts.null_intercept);
}

} // namespace
} // namespace recta
