#include "certificate/loss/certify.hpp"
#include "solver/interior_point/interior_point.hpp"
#include "stats/test_rows.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::Table;
using testing::TableRows;

struct Answer {
  InteriorSolution solution;
  Certificate certificate;
};

Answer solve(const LossObjective& objective, const Table& t, int threads = 2) {
  Pool pool(threads);
  TableRows rows(t, 64);
  auto facts = loss_facts(rows, pool, {}, {});
  EXPECT_TRUE(facts);
  EXPECT_TRUE(add_null(objective, rows, pool, {}, *facts));
  auto solution = solve_by_interior_point({objective, &*facts}, rows, pool);
  EXPECT_TRUE(solution);
  LossClaimed claimed{.objective = objective, .facts = &*facts, .w = solution->w, .b = solution->b};
  return {*solution, certify(claimed, nullptr, &rows, pool)->certificate};
}

TEST(InteriorPoint, FindsTheMedianOfNumbers) {
  const Table t{5, 0, 1, {}, {3, 1, 100, 2, 5}, {}, {}};
  const Answer found = solve({.loss = "quantile", .parameter = 0.5}, t);
  EXPECT_EQ(found.solution.b, 3);
  EXPECT_EQ(found.certificate.verdict, Verdict::proved);
  EXPECT_DOUBLE_EQ(found.certificate.objective, (0 + 2 + 97 + 1 + 2) / 10.0);
}

TEST(InteriorPoint, CountsAWeightAsThatManyRows) {
  const Table t{4, 0, 1, {}, {1, 2, 4, 9}, {1, 1, 1, 4}, {}};
  EXPECT_EQ(solve({.loss = "quantile", .parameter = 0.5}, t).solution.b, 9);
}

TEST(InteriorPoint, PassesThroughAsManyRowsAsThereAreCoefficients) {
  Table t = Table::integers(301, 3, 50);
  for (const double q : {0.1, 0.5, 0.75}) {
    const Answer found = solve({.loss = "quantile", .parameter = q}, t);
    EXPECT_EQ(found.certificate.verdict, Verdict::proved) << q;
    EXPECT_TRUE(found.solution.vertex);
    Index met = 0, below = 0;
    for (std::size_t i = 0; i < 301; ++i) {
      double r = t.y[i] - found.solution.b;
      for (std::size_t j = 0; j < 3; ++j) r -= found.solution.w[j] * t.x[3 * i + j];
      met += std::abs(r) < 1e-11 ? 1 : 0;
      below += r < -1e-11 ? 1 : 0;
    }
    EXPECT_GE(met, 4);
    EXPECT_LE(static_cast<double>(below), q * 301);              // no more than the share below,
    EXPECT_GE(static_cast<double>(below + met), q * 301 - 1e-9); // and no fewer with those that are met
  }
}

TEST(InteriorPoint, PutsColumnsToZeroExactlyUnderAPenalty) {
  Table t = Table::integers(200, 4, 20);
  const Answer found = solve({.loss = "quantile", .parameter = 0.5, .lambda1 = 3}, t);
  EXPECT_EQ(found.certificate.verdict, Verdict::proved);
  EXPECT_EQ(found.solution.w, std::vector<double>(4, 0.0));
}

TEST(InteriorPoint, LetsErrorsInsideTheTubePass) {
  const Table t{4, 1, 1, {0, 1, 2, 3}, {0, 1.5, 1.5, 3}, {}, {}}; // within 0.5 of y = x
  const Answer found = solve({.loss = "epsilon-insensitive", .parameter = 0.5}, t);
  EXPECT_NEAR(found.certificate.objective, 0, 1e-12);
  EXPECT_NE(found.certificate.verdict, Verdict::refuted);
}

TEST(InteriorPoint, IsProvedOnRowsOfEveryShapeUnderEveryPenalty) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{200, 40}, {80, 80}, {60, 100}}) {
    const Table t = Table::integers(rows, cols, 1000);
    for (const auto& [lambda1, lambda2] : {std::pair{50.0, 0.0}, {0.0, 1e4}, {50.0, 1e4}})
      for (const bool intercept : {false, true})
        for (const LossObjective& loss : {LossObjective{.loss = "quantile", .parameter = 0.2},
                                          {.loss = "quantile", .parameter = 0.5},
                                          {.loss = "epsilon-insensitive", .parameter = 0},
                                          {.loss = "epsilon-insensitive", .parameter = 30}}) {
          LossObjective objective = loss;
          objective.lambda1 = lambda1, objective.lambda2 = lambda2, objective.intercept = intercept;
          const Certificate c = solve(objective, t).certificate;
          EXPECT_EQ(c.verdict, Verdict::proved) << c.sentence() << rows << " x " << cols << ", " << objective.loss
                                                << " " << objective.parameter << ", " << lambda1 << " " << lambda2;
        }
  }
}

TEST(InteriorPoint, MeetsEveryRowIfThereAreColumnsEnough) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{40, 48}, {40, 90}, {60, 60}}) {
    const Table t = Table::integers(rows, cols, 1000);
    for (const char* loss : {"quantile", "epsilon-insensitive"}) {
      const Answer found = solve({.loss = loss, .parameter = 0.25}, t);
      EXPECT_EQ(found.certificate.verdict, Verdict::proved) << found.certificate.sentence();
      EXPECT_LT(found.certificate.objective, 1e-9) << rows << " x " << cols;
      EXPECT_LE(found.solution.passes, 60) << rows << " x " << cols; // and none to tell columns apart
    }
  }
}

TEST(InteriorPoint, HasTheSameBitsAtAnyNumberOfThreads) {
  const Table t = Table::integers(2000, 3, 100);
  const Answer one = solve({.loss = "quantile", .parameter = 0.3}, t, 1);
  for (const int threads : {2, 5}) {
    const Answer many = solve({.loss = "quantile", .parameter = 0.3}, t, threads);
    EXPECT_EQ(many.solution.w, one.solution.w);
    EXPECT_EQ(many.solution.b, one.solution.b);
  }
}

} // namespace
} // namespace recta
