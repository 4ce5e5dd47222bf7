#include "certificate/loss/certify.hpp"
#include "solver/newton/newton.hpp"
#include "stats/test_rows.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::Table;
using testing::TableRows;

struct Answer {
  NewtonSolution solution;
  Certificate certificate;
};

Answer solve(const LossObjective& objective, const Table& t, int threads = 2, Index block = 64) {
  Pool pool(threads);
  TableRows rows(t, block);
  auto facts = loss_facts(rows, pool, {}, {});
  EXPECT_TRUE(facts);
  EXPECT_TRUE(add_null(objective, rows, pool, {}, *facts));
  auto solution = solve_by_newton({objective, &*facts}, rows, pool);
  EXPECT_TRUE(solution);
  LossClaimed claimed{
      .objective = objective, .facts = &*facts, .w = solution->w, .b = solution->b, .scale = solution->scale};
  return {*solution, certify(claimed, nullptr, &rows, pool)->certificate};
}

TEST(Newton, FindsTheLogarithmsOfTheMeansOfGroups) {
  const Table t{7, 1, 1, {0, 0, 0, 1, 1, 1, 1}, {1, 3, 2, 5, 7, 6, 10}, {}, {}};
  for (const char* word : {"poisson", "gamma"}) {
    const Answer found = solve({.loss = word}, t);
    EXPECT_NEAR(found.solution.b, std::log(2.0), 1e-15);
    EXPECT_NEAR(found.solution.w[0], std::log(3.5), 1e-15);
    EXPECT_EQ(found.certificate.verdict, Verdict::proved);
    EXPECT_TRUE(found.solution.runaway.empty());
  }
}

TEST(Newton, SaysWhenTheWayDownHasNoEnd) {
  const Table t{6, 1, 1, {0, 0, 0, 1, 1, 1}, {1, 3, 2, 0, 0, 0}, {}, {}};
  const Answer found = solve({.loss = "poisson"}, t);
  ASSERT_EQ(found.solution.runaway.size(), 2u);
  EXPECT_LT(found.solution.runaway[0], 0);
  EXPECT_EQ(found.certificate.verdict, Verdict::proved); // the least that there is
  EXPECT_NEAR(found.solution.b, std::log(2.0), 1e-9);
  EXPECT_TRUE(solve({.loss = "poisson", .lambda2 = 0.01}, t).solution.runaway.empty());
}

TEST(Newton, FindsTheScaleWithTheCoefficients) {
  Table t = Table::integers(400, 3, 20);
  for (std::size_t i = 0; i < 400; ++i) {
    t.y[i] = 0.5 * t.y[i] + t.x[3 * i] - 2 * t.x[3 * i + 1] + 7;
    if (i % 9 == 0) t.y[i] += 300;
  }
  const Answer found = solve({.loss = "huber", .parameter = 1.35, .fitted_scale = true}, t);
  EXPECT_EQ(found.certificate.verdict, Verdict::proved);
  double squares = 0; // at the optimum the mean of min(t^2, epsilon^2) is 1
  for (std::size_t i = 0; i < 400; ++i) {
    const double* x = &t.x[3 * i];
    const NewtonSolution& s = found.solution;
    const double r = (t.y[i] - s.b - s.w[0] * x[0] - s.w[1] * x[1] - s.w[2] * x[2]) / s.scale;
    squares += std::min(r * r, 1.35 * 1.35);
  }
  EXPECT_NEAR(squares / 400, 1, 1e-12);
}

TEST(Newton, SendsTheScaleToZeroWhereTheFitIsExact) {
  const Table t{5, 1, 1, {0, 1, 2, 3, 4}, {1, 3, 5, 7, 9}, {}, {}};
  const Answer found = solve({.loss = "huber", .parameter = 1.35, .fitted_scale = true}, t);
  EXPECT_LT(found.solution.scale, 1e-9);
  EXPECT_NEAR(found.solution.w[0], 2, 1e-12);
  EXPECT_EQ(found.certificate.verdict, Verdict::proved);
}

TEST(Newton, IsLeastSquaresWhereNothingIsFarAway) {
  const Table t{4, 1, 1, {0, 1, 2, 3}, {1, 2, 2, 5}, {}, {}}; // slope 12 / 10, mean 2.5 at 1.5
  const Answer found = solve({.loss = "huber", .parameter = 1e6}, t);
  EXPECT_NEAR(found.solution.w[0], 1.2, 1e-14);
  EXPECT_NEAR(found.solution.b, 0.7, 1e-14);
}

TEST(Newton, HasTheSameBitsAtAnyNumberOfThreads) {
  Table t = Table::integers(2000, 4, 9);
  for (double& x : t.x) x /= 10;
  for (double& y : t.y) y = std::abs(y);
  const Answer one = solve({.loss = "poisson"}, t, 1, 128);
  for (const int threads : {2, 3, 8}) {
    const Answer many = solve({.loss = "poisson"}, t, threads, 128);
    EXPECT_EQ(many.solution.w, one.solution.w);
    EXPECT_EQ(many.solution.b, one.solution.b);
  }
}

TEST(Newton, GivesTheBestSoFarWhenItIsStopped) {
  Table t = Table::integers(2000, 4, 9);
  for (double& y : t.y) y = std::abs(y);
  for (double& x : t.x) x /= 4;
  Pool pool(1);
  TableRows rows(t, 64);
  const LossObjective objective{.loss = "poisson"};
  auto facts = loss_facts(rows, pool, {}, {});
  ASSERT_TRUE(add_null(objective, rows, pool, {}, *facts));
  for (const Index passes : {0, 1, 3}) {
    const auto found =
        solve_by_newton({objective, &*facts}, rows, pool, [&](const Progress& p) { return p.pass < passes; });
    if (passes == 0) {
      EXPECT_EQ(found.error().code, ErrorCode::interrupted);
      continue;
    }
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->interrupted);
    EXPECT_EQ(found->steps + 1, passes);
  }
}

} // namespace
} // namespace recta
