// Whole descents: where they end, and why.
#include "solver/gradient_descent/squares_descent.hpp"
#include "solver/test_problems.hpp"

#include <limits>

namespace recta {
namespace {

using namespace testing;

LeastSquaresProblem descending(const std::string& solver, double lambda2 = 0) {
  LeastSquaresProblem problem = asked(solver, lambda2);
  problem.descent.method = solver == "accelerated" ? DescentMethod::accelerated
                           : solver == "svrg"      ? DescentMethod::svrg
                           : solver == "saga"      ? DescentMethod::saga
                                                   : DescentMethod::plain;
  problem.descent.batch = solver == "sgd" ? 1 : 0;
  problem.descent.passes = 20000;
  problem.tolerance = 1e-20;
  return problem;
}

// Columns of one size, so that a few hundred steps are enough.
Rows easy_rows(Index n, Index p, Index k = 1, std::uint64_t seed = 1) {
  Rows rows = random_rows(n, p, k, seed);
  for (double& x : rows.x) x /= 8;
  return rows;
}

TEST(Descent, EverySolverForWorkReachesTheRationalAnswerOfWeightedRowsAndTargets) {
  for (const std::string solver : {"gradient-descent", "accelerated", "svrg", "saga"})
    for (const double lambda2 : {0.0, 0.25})
      for (const bool sparse : {false, true}) {
        Rows rows = easy_rows(40, 3, 2);
        rows.sparse = sparse;
        std::uint64_t seed = 9;
        for (Index i = 0; i < 40; ++i) rows.weights.push_back(i % 7 == 0 ? 0 : 1 + std::abs(draw(seed)) / 4);
        double total = 0;
        for (const double v : rows.weights) total += v;
        const auto s = solved(rows, descending(solver, lambda2));
        expect_exact(exact_answers(rows, true, Rational(lambda2) * Rational(total)), s, true, 1e-8, solver);
      }
}

TEST(Descent, StandardisedDescentAnswersInTheUnitsOfTheData) {
  for (const bool sparse : {false, true}) {
    Rows rows = easy_rows(50, 3);
    for (Index i = 0; i < 50; ++i) {
      rows.x[i * 3] = 1000 * rows.x[i * 3] + 300;
      rows.x[i * 3 + 1] /= 4096;
    }
    rows.sparse = sparse;
    LeastSquaresProblem problem = standardised(descending("gradient-descent"));
    problem.sparse = sparse;
    const auto s = solved(rows, problem);
    const auto exact = exact_least_squares(rows, true);
    for (Index j = 0; j < 3; ++j)
      EXPECT_NEAR(s.w[j], to_double(exact.w[j + 1]), 1e-8 * std::abs(to_double(exact.w[j + 1]))) << sparse;
    EXPECT_NEAR(s.b[0], to_double(exact.w[0]), 1e-7) << sparse;
  }
}

TEST(Descent, AnInterruptedDescentKeepsTheBestPointItHad) {
  Rows rows = easy_rows(300, 4);
  LeastSquaresProblem problem = descending("gradient-descent");
  problem.descent.passes = 1'000'000'000;
  problem.descent.rate = 0.001;
  Pool pool(2);
  int calls = 0;
  auto s = solve(problem, rows, pool, [&](const Progress&) { return ++calls < 60; });
  ASSERT_TRUE(s) << s.error().text();
  EXPECT_TRUE(s->interrupted);
  EXPECT_EQ(s->stop.text(), "interrupted");
  EXPECT_NE(s->w[0], 0);
  double start = 0; // F at zero
  for (const double y : rows.y) start += y * y / 600;
  EXPECT_LT(proof(rows, problem, *s).objective, start);
  rows.next = 0;
  calls = 0;
  EXPECT_EQ(solve(problem, rows, pool, [&](const Progress&) { return false; }).error().code, ErrorCode::interrupted);
}

TEST(Descent, ADivergingFitAnswersWithItsBestPointAndTheRateThatIsSafe) {
  Rows rows = easy_rows(300, 4);
  for (const std::string solver : {"gradient-descent", "sgd"}) {
    LeastSquaresProblem problem = descending(solver);
    problem.descent.rate = 50;
    const auto s = solved(rows, problem);
    EXPECT_NE(s.stop.text().find("diverged at the rate 50"), std::string::npos) << s.stop.text();
    for (const double w : s.w) EXPECT_TRUE(std::isfinite(w));
    EXPECT_LE(proof(rows, problem, s).objective, 1.5 * proof(rows, problem, s).null_objective);
  }
}

TEST(DescentCurvature, PowerIterationIsABoundNearTheLargestEigenvalue) {
  Rows rows = easy_rows(80, 40);
  Pool pool(2);
  Index passes = 0;
  const Gram gram = [&] {
    Gram g(40, 1);
    auto scratch = rows.scratch();
    while (*rows.claim(*scratch)) g.accumulate(*rows.load(*scratch));
    return g;
  }();
  const auto exact = measure_curvature({rows, pool, {}}, &gram, {}, true, passes);
  const auto bound = measure_curvature({rows, pool, {}}, nullptr, {}, true, passes);
  EXPECT_GE(bound->largest, exact->largest);
  EXPECT_LE(bound->largest, 1.15 * exact->largest);
  EXPECT_EQ(bound->rows, 80);
  double longest = 0;
  for (Index i = 0; i < 80; ++i) {
    double square = 1;
    for (Index j = 0; j < 40; ++j) square += rows.x[i * 40 + j] * rows.x[i * 40 + j];
    longest = std::max(longest, square);
  }
  EXPECT_NEAR(bound->row, longest, 1e-12 * longest);
}

TEST(Descent, RowsOfWeightZeroMayHoldAnything) {
  Rows rows = easy_rows(30, 2);
  rows.weights.assign(30, 1);
  const auto whole = [&](const char* solver) {
    LeastSquaresProblem problem = descending(solver);
    problem.descent.passes = 40;
    return solved(rows, problem).w;
  };
  rows.weights[4] = 0;
  std::vector<std::vector<double>> before, after;
  for (const char* solver : {"gradient-descent", "sgd", "saga"}) before.push_back(whole(solver));
  rows.x[8] = rows.y[4] = std::numeric_limits<double>::quiet_NaN();
  for (const char* solver : {"gradient-descent", "sgd", "saga"}) after.push_back(whole(solver));
  EXPECT_EQ(before, after);
}

} // namespace
} // namespace recta
