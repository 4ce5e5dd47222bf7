#include "solver/newton/by_passes.hpp"
#include "solver/newton/conjugate.hpp"
#include "solver/newton/test_wide_problems.hpp"

#include <limits>

namespace recta {
namespace {

using testing::Labelled;

// Compares the methods: without p x p sums, from rows in memory and from passes over them, and with such sums.
void expect_the_same(const Labelled& data, const LossObjective& objective, RowSource& rows, double within = 1e-10) {
  Pool pool(2);
  const LossFacts facts = testing::facts_of(objective, rows, pool);
  const NewtonProblem problem{objective, &facts, 1e-24};
  const auto ours = solve_by_conjugate_newton(problem, rows, pool);
  const auto oracle = solve_by_newton(problem, rows, pool);
  ASSERT_TRUE(ours && oracle);
  for (Index j = 0; j < data.p; ++j) EXPECT_NEAR(ours->w[j], oracle->w[j], within * (1 + std::abs(oracle->w[j]))) << j;
  EXPECT_NEAR(ours->b, oracle->b, within);
  const auto checked = testing::checked_of(objective, facts, *ours, rows, pool, true);
  EXPECT_EQ(checked.certificate.verdict, Verdict::proved) << checked.certificate.sentence();
  const auto passes = solve_by_product_passes(problem, rows, pool);
  ASSERT_TRUE(passes);
  for (Index j = 0; j < data.p; ++j)
    EXPECT_NEAR(passes->w[j], oracle->w[j], within * (1 + std::abs(oracle->w[j]))) << j;
  EXPECT_NEAR(passes->b, oracle->b, within);
}

TEST(ConjugateNewton, FindsWhatNewtonFindsWithTheWholeHessian) {
  const Labelled data = Labelled::make(700, 60, 8);
  auto sparse = data.sparse_rows();
  auto dense = data.dense_rows();
  for (const double lambda : {1e-1, 1e-3, 1e-6})
    for (const bool intercept : {true, false}) {
      const LossObjective objective{.loss = "logistic", .lambda2 = lambda, .intercept = intercept};
      expect_the_same(data, objective, sparse);
      expect_the_same(data, objective, dense);
    }
  expect_the_same(data, {.loss = "logistic", .lambda2 = 1e-3, .standardise = true}, sparse);
}

TEST(ConjugateNewton, TakesWeightsAndOffsetsAndLeavesOutRowsWithoutWeight) {
  Labelled data = Labelled::make(500, 30, 6);
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  for (Index i = 0; i < data.n; ++i) {
    data.weight.push_back(static_cast<double>(i % 4));
    data.offset.push_back(0.1 * static_cast<double>(i % 7) - 0.3);
    if (i % 4 == 0) data.dense[i * data.p + 3] = data.y[i] = nothing;
  }
  data.compress();
  auto sparse = data.sparse_rows();
  auto dense = data.dense_rows();
  const LossObjective objective{.loss = "logistic", .lambda2 = 1e-2};
  expect_the_same(data, objective, sparse);
  expect_the_same(data, objective, dense);
}

TEST(ConjugateNewton, FindsTheAnswerOfFewerRowsThanColumns) {
  Labelled data = Labelled::make(40, 200, 25);
  for (Index i = 0; i < data.n; ++i) data.dense[i * data.p + 9] = data.dense[i * data.p + 8]; // twice the same
  for (Index i = 0; i < data.n; ++i) data.dense[i * data.p + 5] = 0;                          // and one without numbers
  data.compress();
  auto rows = data.sparse_rows();
  expect_the_same(data, {.loss = "logistic", .lambda2 = 1e-2}, rows);
  expect_the_same(data, {.loss = "logistic", .lambda2 = 1e-2, .standardise = true}, rows);
  Pool pool(2);
  const LossObjective objective{.loss = "logistic", .lambda2 = 1e-2};
  const LossFacts facts = testing::facts_of(objective, rows, pool);
  const auto found = solve_by_conjugate_newton({objective, &facts}, rows, pool);
  EXPECT_EQ(found->w[5], 0);
  EXPECT_NEAR(found->w[8], found->w[9], 1e-12);
}

// One column, one row of each label at x = 1 and -1: w (1 + e^w) = 1 / lambda2. At lambda2 = 1 / (1 + e) it is 1.
TEST(ConjugateNewton, FindsTheAnswerThatCanBeDoneOnPaper) {
  Labelled data{.n = 2, .p = 1, .dense = {1, -1}, .y = {1, -1}};
  data.compress();
  auto rows = data.sparse_rows();
  Pool pool(1);
  for (const bool intercept : {true, false}) {
    const LossObjective objective{.loss = "logistic", .lambda2 = 1 / (1 + std::exp(1.0)), .intercept = intercept};
    const LossFacts facts = testing::facts_of(objective, rows, pool);
    const auto found = solve_by_conjugate_newton({objective, &facts, 1e-20}, rows, pool);
    EXPECT_NEAR(found->w[0], 1, 1e-14);
    EXPECT_NEAR(found->b, 0, 1e-15);
  }
}

TEST(ConjugateNewton, TakesColumnsOfAnySize) {
  Labelled data = Labelled::make(300, 20, 6);
  auto rows = data.sparse_rows();
  Pool pool(1);
  const LossObjective objective{.loss = "logistic", .lambda2 = 1e-3, .standardise = true};
  const LossFacts facts = testing::facts_of(objective, rows, pool);
  const auto plain = solve_by_conjugate_newton({objective, &facts, 1e-24}, rows, pool);
  Labelled large = data;
  for (Index i = 0; i < data.n; ++i)
    for (Index j = 0; j < data.p; ++j) large.dense[i * data.p + j] *= j % 2 == 0 ? 0x1p40 : 0x1p-40;
  large.compress();
  auto other = large.sparse_rows();
  const LossFacts other_facts = testing::facts_of(objective, other, pool);
  const auto scaled = solve_by_conjugate_newton({objective, &other_facts, 1e-24}, other, pool);
  for (Index j = 0; j < data.p; ++j)
    EXPECT_NEAR(scaled->w[j] * (j % 2 == 0 ? 0x1p40 : 0x1p-40), plain->w[j], 1e-9 * (1 + std::abs(plain->w[j])));
  EXPECT_EQ(testing::checked_of(objective, other_facts, *scaled, other, pool, true).certificate.verdict,
            Verdict::proved);
}

// The preconditioner then looks at every second row, and one of its columns hardly varies.
TEST(ConjugateNewton, FindsTheAnswerOfManyRows) {
  Labelled data = Labelled::make(66000, 6, 3);
  for (Index i = 0; i < data.n; ++i) data.dense[i * data.p + 3] = 10 + 0.1 * static_cast<double>(i % 5);
  data.compress();
  auto rows = data.sparse_rows();
  expect_the_same(data, {.loss = "logistic", .lambda2 = 1e-4, .standardise = true}, rows, 1e-8);
  expect_the_same(data, {.loss = "logistic", .lambda2 = 1e-6, .intercept = false}, rows, 1e-8);
}

TEST(ConjugateNewton, HasTheSameBitsAtAnyNumberOfThreads) {
  const Labelled data = Labelled::make(900, 9000, 40);
  const LossObjective objective{.loss = "logistic", .lambda2 = 1e-4};
  auto sparse = data.sparse_rows();
  auto dense = data.dense_rows();
  for (RowSource* rows : {static_cast<RowSource*>(&sparse), static_cast<RowSource*>(&dense)}) {
    Pool pool(1);
    const LossFacts facts = testing::facts_of(objective, *rows, pool);
    const auto one = solve_by_conjugate_newton({objective, &facts}, *rows, pool);
    EXPECT_EQ(testing::checked_of(objective, facts, *one, *rows, pool, true).certificate.verdict, Verdict::proved);
    for (const int threads : {2, 5}) {
      Pool more(threads);
      const auto many = solve_by_conjugate_newton({objective, &facts}, *rows, more);
      EXPECT_EQ(many->w, one->w);
      EXPECT_EQ(many->b, one->b);
    }
  }
}

// The classes are separable, and the penalty is nearly zero: coefficients grow until it holds them.
TEST(ConjugateNewton, EndsWhereAPlaneSeparatesTheClasses) {
  Labelled data = Labelled::make(60, 100, 30);
  auto rows = data.sparse_rows();
  Pool pool(1);
  const LossObjective objective{.loss = "logistic", .lambda2 = 1e-9};
  const LossFacts facts = testing::facts_of(objective, rows, pool);
  const auto found = solve_by_conjugate_newton({objective, &facts}, rows, pool);
  EXPECT_FALSE(found->gave_up);
  EXPECT_EQ(testing::checked_of(objective, facts, *found, rows, pool, true).certificate.verdict, Verdict::proved);
}

TEST(ConjugateNewton, GivesTheBestSoFarWhenItIsStopped) {
  const Labelled data = Labelled::make(400, 50, 10);
  auto rows = data.sparse_rows();
  Pool pool(1);
  const LossObjective objective{.loss = "logistic", .lambda2 = 1e-5};
  const LossFacts facts = testing::facts_of(objective, rows, pool);
  const auto found = solve_by_conjugate_newton({objective, &facts}, rows, pool, [](const Progress&) { return false; });
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->interrupted);
  EXPECT_EQ(found->steps, 0);
  EXPECT_DOUBLE_EQ(found->b, facts.null_intercept);
}

} // namespace
} // namespace recta
