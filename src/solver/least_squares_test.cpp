#include "solver/choose.hpp"
#include "solver/test_problems.hpp"

namespace recta {
namespace {

using namespace testing;

TEST(LeastSquares, ALineThroughFourPointsIsTheOneOfTheTextbook) {
  Rows rows(4, 1, {1, 2, 3, 4}, {2, 3, 5, 6}); // slope 7/5, intercept 1/2
  const auto s = solved(rows);
  EXPECT_DOUBLE_EQ(s.w[0], 1.4);
  EXPECT_DOUBLE_EQ(s.b[0], 0.5);
  EXPECT_EQ(s.rank, 1);
}

TEST(LeastSquares, RidgeOfTheCourseHasSquaredNormOneQuarter) {
  for (const std::string& solver : kAll) {
    Rows rows(2, 1, {1, 2}, {1, 1});
    LeastSquaresProblem problem = asked(solver, 0.5, false); // tau = 1, N = 2
    const auto s = solved(rows, problem);
    EXPECT_NEAR(s.w[0] * s.w[0], 0.25, 1e-14) << solver;
    EXPECT_EQ(s.b[0], 0) << solver;
    if (solver == "lsmr") continue;
    ASSERT_EQ(s.singular_values.size(), 1u) << solver;
    EXPECT_NEAR(s.singular_values[0], std::sqrt(5.0), 1e-14) << solver;
    EXPECT_NEAR(s.shrinkage[0], 5.0 / 6, 1e-14) << solver;
  }
}

TEST(LeastSquares, TheAnswersToUnitVectorsAreThePseudoInverse) {
  for (const std::string& solver : kAll) {
    Rows rows(3, 5, {1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, 3);
    const auto s = solved(rows, asked(solver, 0, false));
    for (Index t = 0; t < 3; ++t)
      for (Index j = 0; j < 5; ++j)
        EXPECT_NEAR(s.w[j + t * 5], j == t ? 1.0 / static_cast<double>(j + 1) : 0, 1e-14) << solver;
    EXPECT_EQ(s.rank, 3) << solver;
  }
}

TEST(LeastSquares, EverySolverFindsTheExactAnswer) {
  Rows rows = random_rows(60, 5, 2);
  for (const bool intercept : {true, false}) {
    const Answers exact = exact_answers(rows, intercept);
    for (const std::string& solver : kAll) {
      const LeastSquaresProblem problem = asked(solver, 0, intercept);
      const auto s = solved(rows, problem);
      expect_exact(exact, s, intercept, 1e-13, solver);
      EXPECT_EQ(proof(rows, problem, s).verdict, Verdict::proved) << solver;
    }
  }
}

TEST(LeastSquares, RidgeWithWeightsAndOffsetsIsExactInEverySolver) {
  Rows rows = random_rows(40, 6);
  std::uint64_t seed = 7;
  Rational total = 0;
  for (Index i = 0; i < rows.n; ++i) {
    rows.weights.push_back(i % 5 == 0 ? 0 : std::abs(draw(seed)));
    rows.offset.push_back(draw(seed));
    total += Rational(rows.weights.back());
  }
  for (const double lambda2 : {0.0, 0.25, 16.0})
    for (const bool intercept : {true, false}) {
      const Answers exact = exact_answers(rows, intercept, total * Rational(lambda2));
      for (const std::string& solver : kAll) {
        const LeastSquaresProblem problem = asked(solver, lambda2, intercept);
        const auto s = solved(rows, problem);
        expect_exact(exact, s, intercept, 2e-13, solver);
        EXPECT_EQ(proof(rows, problem, s).verdict, Verdict::proved) << solver;
        EXPECT_EQ(s.rows, 32);
      }
    }
}

TEST(LeastSquares, ManyRowsGoThroughDoublePrecisionAndKeepItsDigits) {
  Rows rows = random_rows(12000, 12);
  for (const double lambda2 : {0.0, 0.5}) {
    const LeastSquaresProblem problem = asked("auto", lambda2);
    const auto s = solved(rows, problem);
    EXPECT_EQ(s.gram->precision, Precision::standard);
    expect_exact(exact_answers(rows, true, Rational(lambda2) * 12000), s, true, 1e-14, "gram");
    const Certificate c = proof(rows, problem, s);
    EXPECT_EQ(c.verdict, Verdict::proved) << c.sentence();
  }
}

TEST(LeastSquares, RowsThatCanBeReadOnceAreSolvedFromTheirSums) {
  Rows rows = random_rows(3000, 8);
  rows.once = true;
  const LeastSquaresProblem problem = once(asked("auto"));
  const auto s = solved(rows, problem);
  EXPECT_EQ(s.passes, 1);
  expect_exact(exact_answers(rows, true), s, true, 1e-12, "single pass");
}

TEST(LeastSquares, WrongRequestsAreRefusedWithTheCure) {
  Rows rows = random_rows(10, 2);
  Pool pool(1);
  const auto refusal = [&](const LeastSquaresProblem& problem) { return solve(problem, rows, pool).error().text(); };
  EXPECT_EQ(refusal(asked("grm")), "solver: there is no solver \"grm\"; did you mean \"gram\"?");
  EXPECT_EQ(refusal(with_factors(asked("auto"), {1})),
            "penalty factors: 1 factors for 2 features; give one factor per feature");
  EXPECT_EQ(refusal(once(asked("qr"))),
            "solver: \"qr\" needs the rows more than once; give the data as a file, or choose the solver gram");
  EXPECT_EQ(refusal(with_factors(asked("dual", 1), {1, 0})),
            "solver: \"dual\" divides by the penalty of every column, and some have none; choose the solver qr");
}

TEST(LeastSquares, StoppingBeforeThereIsAnAnswerIsAnErrorOfThatName) {
  Rows rows = random_rows(5000, 20);
  Pool pool(1);
  const auto s = solve(asked("auto"), rows, pool, [](const Progress&) { return false; });
  ASSERT_FALSE(s);
  EXPECT_EQ(s.error().code, ErrorCode::interrupted);
}

TEST(LeastSquares, AnIterationThatIsStoppedKeepsTheBestSoFarAndSaysSo) {
  Rows rows = random_rows(600, 50);
  Pool pool(1);
  const auto s = solve(asked("lsmr"), rows, pool, [](const Progress& at) { return at.pass < 4; });
  ASSERT_TRUE(s);
  EXPECT_TRUE(s->interrupted);
  EXPECT_EQ(s->stop.text(), "interrupted");
}

TEST(ChooseSolver, GoesByShapeAndGivesItsReason) {
  EXPECT_EQ(choose_solver({.rows = 506, .cols = 13}).solver, "gram");
  EXPECT_EQ(choose_solver({.rows = 506, .cols = 13}).reason,
            "n = 506 is at least p = 13: one pass of products, then p x p");
  EXPECT_EQ(choose_solver({.rows = 50, .cols = 5000}).solver, "dual");
  EXPECT_EQ(choose_solver({.rows = 100000, .cols = 50000, .sparse = true}).solver, "lsmr");
  EXPECT_EQ(choose_solver({.rows = {}, .cols = 5000, .single_pass = true}).solver, "gram");
  EXPECT_EQ(choose_solver({.rows = 50, .cols = 500, .penalised = true, .free_columns = true}).solver, "qr");
}

} // namespace
} // namespace recta
