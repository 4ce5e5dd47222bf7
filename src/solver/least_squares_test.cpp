#include "certificate/least_squares/certify.hpp"
#include "certificate/test_exact.hpp"
#include "solver/choose.hpp"
#include "solver/least_squares.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::exact_least_squares;
using testing::Rational;
using testing::Rows;
using testing::to_double;

const std::vector<std::string> kAll{"gram", "qr", "svd", "dual", "lsmr"};

double draw(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<double>(static_cast<std::int64_t>(state >> 40) - (1 << 23)) / (1 << 20);
}

LeastSquaresProblem asked(const std::string& solver, double lambda2 = 0, bool intercept = true) {
  LeastSquaresProblem problem;
  problem.solver = solver;
  problem.objective.lambda2 = lambda2;
  problem.objective.intercept = intercept;
  return problem;
}
LeastSquaresProblem standardised(LeastSquaresProblem problem) {
  problem.objective.standardise = true;
  return problem;
}
LeastSquaresProblem with_factors(LeastSquaresProblem problem, std::vector<double> factors) {
  problem.objective.factors = std::move(factors);
  return problem;
}
LeastSquaresProblem once(LeastSquaresProblem problem) {
  problem.single_pass = true;
  return problem;
}

// Numbers that are multiples of 2^-20 in [-8, 8).
Rows random_rows(Index n, Index p, Index k = 1, std::uint64_t seed = 1) {
  Rows rows(n, p, {}, {}, k);
  for (Index i = 0; i < n * p; ++i) rows.x.push_back(draw(seed));
  for (Index i = 0; i < n * k; ++i) rows.y.push_back(draw(seed));
  return rows;
}

LeastSquaresSolution solved(Rows& rows, LeastSquaresProblem problem = {}, int threads = 2) {
  Pool pool(threads);
  rows.next = 0;
  auto solution = solve(problem, rows, pool);
  EXPECT_TRUE(solution) << solution.error().text();
  return solution ? *solution : LeastSquaresSolution{};
}

Certificate proof(Rows& rows, const LeastSquaresProblem& problem, const LeastSquaresSolution& s) {
  Pool pool(2);
  Claimed claim;
  claim.objective = problem.objective;
  claim.w = s.w;
  claim.b = s.b;
  const auto checked = certify(claim, s.gram ? &*s.gram : nullptr, &rows, pool);
  EXPECT_TRUE(checked) << checked.error().text();
  return checked->certificate;
}

using Answers = std::vector<testing::Exact>; // one a target

Answers exact_answers(const Rows& rows, bool intercept, const Rational& tau = 0) {
  Answers out;
  for (Index t = 0; t < rows.k; ++t) out.push_back(exact_least_squares(rows, intercept, tau, t));
  return out;
}

void expect_exact(const Answers& exact, const LeastSquaresSolution& s, bool intercept, double tolerance,
                  const std::string& what) {
  const Index p = s.cols, lead = intercept ? 1 : 0;
  for (Index t = 0; t < s.targets; ++t) {
    const auto near = [&](double found, const Rational& sought) {
      EXPECT_NEAR(found, to_double(sought), tolerance * std::max(1.0, std::abs(found))) << what;
    };
    if (intercept) near(s.b[t], exact[t].w[0]);
    for (Index j = 0; j < p; ++j) near(s.w[j + t * p], exact[t].w[j + lead]);
  }
}

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

TEST(LeastSquares, NearlyDependentColumnsAmongManyRowsAreSolvedInDoubleDouble) {
  Rows rows = random_rows(12000, 12);
  std::uint64_t seed = 5;
  for (Index i = 0; i < rows.n; ++i)
    rows.x[i * 12 + 11] = rows.x[i * 12] + rows.x[i * 12 + 1] + std::ldexp(draw(seed), -24);
  const auto s = solved(rows);
  EXPECT_EQ(s.rank, 12);
  EXPECT_GT(s.condition, 1e7);
  EXPECT_EQ(s.gram->precision, Precision::extended);
  expect_exact(exact_answers(rows, true), s, true, 1e-13, "gram");
}

TEST(LeastSquares, EqualColumnsShareTheirCoefficientAndTheLaterOneIsNamed) {
  for (const std::string& solver : kAll) {
    Rows rows = random_rows(30, 3);
    for (Index i = 0; i < 30; ++i) rows.x[i * 3 + 2] = rows.x[i * 3];
    const LeastSquaresProblem problem = asked(solver);
    const auto s = solved(rows, problem);
    EXPECT_NEAR(s.w[0], s.w[2], 1e-13) << solver;
    Rows two(30, 2, {}, rows.y);
    for (Index i = 0; i < 30; ++i) two.x.insert(two.x.end(), {rows.x[i * 3], rows.x[i * 3 + 1]});
    const auto once = exact_least_squares(two, true);
    EXPECT_NEAR(s.w[0] + s.w[2], to_double(once.w[1]), 1e-13) << solver;
    EXPECT_NEAR(s.w[1], to_double(once.w[2]), 1e-13) << solver;
    EXPECT_EQ(proof(rows, problem, s).verdict, Verdict::proved) << solver;
    if (solver == "lsmr" || solver == "dual") continue;
    EXPECT_EQ(s.rank, 2) << solver;
    ASSERT_EQ(s.aliased.size(), 1u) << solver;
    EXPECT_EQ(s.aliased[0].column, 2);
    ASSERT_EQ(s.aliased[0].equals.size(), 1u);
    EXPECT_EQ(s.aliased[0].equals[0].first, 0);
    EXPECT_NEAR(s.aliased[0].equals[0].second, 1, 1e-12);
    EXPECT_TRUE(std::isnan(s.inverse_diagonal[0]));
    EXPECT_NEAR(s.inverse_diagonal[1], to_double(once.inverse[2]), 1e-13) << solver;
    EXPECT_NEAR(s.inverse_intercept, to_double(once.inverse[0]), 1e-13) << solver;
  }
}

TEST(LeastSquares, ACombinationOfColumnsIsNamedWithItsFactors) {
  Rows rows = random_rows(50, 4);
  for (Index i = 0; i < 50; ++i) rows.x[i * 4 + 3] = 2 * rows.x[i * 4] - 0.5 * rows.x[i * 4 + 2] + 7;
  const auto s = solved(rows);
  ASSERT_EQ(s.aliased.size(), 1u);
  EXPECT_EQ(s.aliased[0].column, 3);
  ASSERT_EQ(s.aliased[0].equals.size(), 2u);
  EXPECT_NEAR(s.aliased[0].equals[0].second, 2, 1e-12);
  EXPECT_NEAR(s.aliased[0].equals[1].second, -0.5, 1e-12);
  EXPECT_TRUE(std::isnan(s.inverse_intercept)); // the 7 can be moved between the column and the intercept
}

TEST(LeastSquares, AConstantColumnGetsCoefficientZeroAndIsFlagged) {
  for (const double lambda2 : {0.0, 1.0})
    for (const std::string& solver : kAll) {
      Rows rows = random_rows(30, 3);
      for (Index i = 0; i < 30; ++i) rows.x[i * 3 + 1] = 0.1;
      const auto s = solved(rows, asked(solver, lambda2));
      EXPECT_EQ(s.w[1], 0) << solver;
      EXPECT_EQ(s.constant, std::vector<Index>{1}) << solver;
      EXPECT_EQ(s.rank, 2) << solver;
    }
}

TEST(LeastSquares, MoreColumnsThanRowsGiveTheAnswerOfLeastNormInEverySolver) {
  Rows rows = random_rows(8, 20, 2);
  for (const bool intercept : {true, false}) {
    const LeastSquaresProblem reference = asked("svd", 0, intercept);
    const auto svd = solved(rows, reference);
    EXPECT_EQ(svd.rank, intercept ? 7 : 8);
    for (const std::string& solver : std::vector<std::string>{"auto", "gram", "qr", "dual", "lsmr"}) {
      const LeastSquaresProblem problem = asked(solver, 0, intercept);
      const auto s = solved(rows, problem);
      for (std::size_t j = 0; j < s.w.size(); ++j) EXPECT_NEAR(s.w[j], svd.w[j], 1e-13) << solver;
      EXPECT_EQ(s.rank, svd.rank) << solver;
      EXPECT_EQ(proof(rows, problem, s).verdict, Verdict::proved) << solver << proof(rows, problem, s).sentence();
    }
    EXPECT_EQ(solved(rows, asked("auto", 0, intercept)).solver, "dual");
  }
}

TEST(LeastSquares, LeastNormIsMeantInStandardisedUnitsWhereThoseAreUsed) {
  Rows rows = random_rows(8, 12);
  for (Index i = 0; i < 8; ++i) rows.x[i * 12 + 3] *= 1024;
  const auto svd = solved(rows, standardised(asked("svd")));
  for (const std::string& solver : std::vector<std::string>{"gram", "qr", "dual", "lsmr"}) {
    const auto s = solved(rows, standardised(asked(solver)));
    for (std::size_t j = 0; j < s.w.size(); ++j) EXPECT_NEAR(s.w[j], svd.w[j], 1e-13) << solver;
  }
}

TEST(LeastSquares, APenaltyOnStandardisedColumnsIsOneOnCopiesThatWereStandardisedBefore) {
  Rows rows = random_rows(40, 4);
  for (Index i = 0; i < 40; ++i) rows.x[i * 4 + 2] = 100 * rows.x[i * 4 + 2] + 3;
  const auto plain = solved(rows);
  Rows copy = rows;
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < 4; ++j) copy.x[i * 4 + j] = (rows.x[i * 4 + j] - plain.mean[j]) / plain.deviation[j];
  for (const bool intercept : {true, false}) {
    const auto sought = solved(copy, asked("auto", 0.3, intercept));
    for (const std::string& solver : kAll) {
      const LeastSquaresProblem problem = standardised(asked(solver, 0.3, intercept));
      const auto s = solved(rows, problem);
      double b = intercept ? sought.b[0] : 0;
      for (Index j = 0; j < 4; ++j) {
        EXPECT_NEAR(s.w[j] * s.deviation[j], sought.w[j], 1e-12) << solver;
        b -= sought.w[j] * plain.mean[j] / plain.deviation[j];
      }
      EXPECT_NEAR(s.b[0], b, 1e-12) << solver;
      EXPECT_EQ(proof(rows, problem, s).verdict, Verdict::proved) << solver;
    }
  }
}

TEST(LeastSquares, PenaltyFactorsScaleThePenaltyOfTheirColumn) {
  Rows rows = random_rows(40, 3), scaled = rows;
  for (Index i = 0; i < 40; ++i) scaled.x[i * 3 + 1] = rows.x[i * 3 + 1] / 4; // factor 1/16 on the long column
  const auto sought = solved(rows, asked("auto", 0.5));
  for (const std::string& solver : kAll) {
    const auto s = solved(scaled, with_factors(asked(solver, 0.5), {1, 1.0 / 16, 1}));
    EXPECT_NEAR(s.w[0], sought.w[0], 1e-13) << solver;
    EXPECT_NEAR(s.w[1], 4 * sought.w[1], 1e-13) << solver;
  }
}

TEST(LeastSquares, AColumnWithFactorZeroIsNotPenalised) {
  Rows rows = random_rows(40, 3);
  const auto reference = solved(rows, with_factors(asked("gram", 0.5), {1, 0, 1}));
  for (const std::string& solver : std::vector<std::string>{"qr", "svd", "lsmr"}) {
    const LeastSquaresProblem problem = with_factors(asked(solver, 0.5), {1, 0, 1});
    const auto s = solved(rows, problem);
    for (Index j = 0; j < 3; ++j) EXPECT_NEAR(s.w[j], reference.w[j], 1e-13) << solver;
    EXPECT_EQ(proof(rows, problem, s).verdict, Verdict::proved) << solver;
  }
}

TEST(LeastSquares, ShiftingColumnsByTwoToTheTwentyMovesNoSlope) {
  Rows rows = random_rows(50, 4), shifted = rows;
  for (double& x : shifted.x) x += 0x1p20; // exact: the numbers are multiples of 2^-20
  for (const double lambda2 : {0.0, 0.1})
    for (const std::string& solver : kAll) {
      const auto a = solved(rows, asked(solver, lambda2));
      const auto b = solved(shifted, asked(solver, lambda2));
      for (Index j = 0; j < 4; ++j) EXPECT_NEAR(b.w[j], a.w[j], 1e-9 * std::abs(a.w[j])) << solver;
    }
}

TEST(LeastSquares, AWeightIsARepetitionAndWeightZeroAnAbsence) {
  Rows weighted = random_rows(20, 3), repeated(0, 3, {}, {});
  for (Index i = 0; i < 20; ++i) {
    weighted.weights.push_back(static_cast<double>(i % 4));
    for (Index copy = 0; copy < i % 4; ++copy, ++repeated.n) {
      repeated.x.insert(repeated.x.end(), &weighted.x[i * 3], &weighted.x[i * 3] + 3);
      repeated.y.push_back(weighted.y[i]);
    }
  }
  for (const std::string& solver : kAll) {
    const auto a = solved(weighted, asked(solver, 0.1));
    const auto b = solved(repeated, asked(solver, 0.1));
    for (Index j = 0; j < 3; ++j) EXPECT_NEAR(a.w[j], b.w[j], 1e-14) << solver;
    EXPECT_NEAR(a.b[0], b.b[0], 1e-14) << solver;
  }
}

TEST(LeastSquares, PowersOfTwoInTheUnitsOfAColumnChangeNoBit) {
  Rows rows = random_rows(2000, 40), scaled = rows;
  for (Index i = 0; i < rows.n; ++i) scaled.x[i * 40 + 7] = std::ldexp(rows.x[i * 40 + 7], 33);
  const auto a = solved(rows), b = solved(scaled);
  for (Index j = 0; j < 40; ++j) EXPECT_EQ(a.w[j], j == 7 ? std::ldexp(b.w[j], 33) : b.w[j]) << j;
}

TEST(LeastSquares, TheBitsDoNotDependOnTheThreads) {
  Rows rows = random_rows(3000, 40, 2);
  for (const std::string& solver : std::vector<std::string>{"gram", "qr", "svd", "lsmr"}) {
    const auto one = solved(rows, asked(solver, 0.01), 1);
    for (const int threads : {2, 3, 8}) {
      const auto many = solved(rows, asked(solver, 0.01), threads);
      EXPECT_EQ(one.w, many.w) << solver;
      EXPECT_EQ(one.b, many.b) << solver;
    }
  }
}

TEST(LeastSquares, SeveralTargetsAreEachSolvedAsIfAlone) {
  Rows rows = random_rows(40, 4, 3);
  const auto all = solved(rows);
  for (Index t = 0; t < 3; ++t) {
    Rows alone(40, 4, rows.x, {});
    for (Index i = 0; i < 40; ++i) alone.y.push_back(rows.y[i * 3 + t]);
    const auto s = solved(alone);
    for (Index j = 0; j < 4; ++j) EXPECT_EQ(s.w[j], all.w[j + t * 4]);
    EXPECT_EQ(s.b[0], all.b[t]);
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
            "penalty factors: 1 factors for 2 features; give one factor a feature");
  EXPECT_EQ(refusal(once(asked("qr"))),
            "solver: \"qr\" needs the rows more than once; give the data as a file, or choose the solver gram");
  EXPECT_EQ(refusal(with_factors(asked("dual", 1), {1, 0})),
            "solver: \"dual\" divides by the penalty of every column, and some have none; choose the solver qr");
}

TEST(LeastSquares, StoppingBeforeThereIsAnAnswerIsAnErrorOfThatName) {
  Rows rows = random_rows(5000, 20);
  Pool pool(1);
  const auto s = solve({}, rows, pool, [](const Progress&) { return false; });
  ASSERT_FALSE(s);
  EXPECT_EQ(s.error().code, ErrorCode::interrupted);
}

TEST(LeastSquares, AnIterationThatIsStoppedKeepsTheBestSoFarAndSaysSo) {
  Rows rows = random_rows(600, 50);
  Pool pool(1);
  const auto s = solve(asked("lsmr"), rows, pool, [](const Progress& at) { return at.pass < 4; });
  ASSERT_TRUE(s);
  EXPECT_TRUE(s->interrupted);
  EXPECT_EQ(s->stop, "interrupted");
}

// Small whole numbers make equal, constant and dependent columns common.
Rows degenerate_rows(std::uint64_t seed) {
  const auto pick = [&](Index low, Index high) {
    draw(seed);
    return low + static_cast<Index>((seed >> 33) % static_cast<std::uint64_t>(high - low + 1));
  };
  Rows rows(pick(2, 14), pick(1, 6), {}, {});
  for (Index i = 0; i < rows.n * rows.p; ++i) rows.x.push_back(static_cast<double>(pick(-1, 1)));
  for (Index i = 0; i < rows.n; ++i) rows.y.push_back(static_cast<double>(pick(-5, 5)));
  if (pick(0, 1) == 1)
    for (Index i = 0; i < rows.n; ++i) rows.weights.push_back(static_cast<double>(i == 0 ? 1 : pick(0, 2)));
  return rows;
}

TEST(LeastSquares, EveryProblemHoweverDegenerateIsSolvedToItsExactMinimumAndTheProofAgrees) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Rows rows = degenerate_rows(seed);
    Rational total = 0;
    for (Index i = 0; i < rows.n; ++i) total += rows.weights.empty() ? Rational(1) : Rational(rows.weights[i]);
    for (const double lambda2 : {0.0, 0.5})
      for (const bool intercept : {true, false}) {
        const auto exact = exact_least_squares(rows, intercept, total * Rational(lambda2));
        for (const std::string& solver : kAll) {
          const LeastSquaresProblem problem = asked(solver, lambda2, intercept);
          const auto s = solved(rows, problem);
          const Certificate c = proof(rows, problem, s);
          const std::string what = solver + " seed " + std::to_string(seed) + ": " + c.sentence();
          EXPECT_EQ(c.verdict, Verdict::proved) << what;
          EXPECT_NEAR(c.objective, to_double(exact.objective), 1e-13) << what;
          if (solver != "lsmr" && lambda2 == 0) {
            EXPECT_EQ(s.rank + (intercept ? 1 : 0), rows.p + (intercept ? 1 : 0) - exact.dependent) << what;
          }
        }
      }
  }
}

TEST(LeastSquares, TheAnswerOfLeastNormIsTheSameWhicheverWayItWasFound) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Rows rows = degenerate_rows(seed);
    for (const bool intercept : {true, false}) {
      const auto reference = solved(rows, asked("svd", 0, intercept));
      for (const std::string& solver : kAll) {
        const auto s = solved(rows, asked(solver, 0, intercept));
        // LSMR scales columns to unit length where rows outnumber them, and is of least norm in those units.
        if (solver == "lsmr" && rows.n >= rows.p) continue;
        for (Index j = 0; j < rows.p; ++j) EXPECT_NEAR(s.w[j], reference.w[j], 1e-12) << solver << " seed " << seed;
      }
    }
  }
}

TEST(LeastSquares, SparseRowsAreSolvedAsIfTheirZerosWereWritten) {
  Rows dense = random_rows(300, 12), sparse = dense;
  std::uint64_t seed = 9;
  for (Index i = 0; i < 300 * 12; ++i)
    if (draw(seed) < 4) dense.x[i] = sparse.x[i] = 0;
  sparse.sparse = true;
  for (const double lambda2 : {0.0, 0.1})
    for (const std::string& solver : kAll) {
      const auto a = solved(dense, asked(solver, lambda2)), b = solved(sparse, asked(solver, lambda2));
      for (Index j = 0; j < 12; ++j) EXPECT_NEAR(a.w[j], b.w[j], 1e-13) << solver;
      EXPECT_NEAR(a.b[0], b.b[0], 1e-13) << solver;
    }
}

TEST(LeastSquares, WhereProductsCannotTellColumnsApartReflectionsTakeOver) {
  const Index n = 400, p = 310;
  Rows rows(n, p, {}, {});
  std::uint64_t seed = 11;
  for (Index i = 0; i < n * p; ++i) rows.x.push_back(std::round(16 * draw(seed)) / 16);
  for (Index i = 0; i < n; ++i) {
    double* x = &rows.x[i * p];
    x[p - 1] = x[0] + x[1] + std::ldexp(std::round(16 * draw(seed)), -32);
    double y = 0; // exact: few bits a number
    for (Index j = 0; j < p; ++j) y += static_cast<double>(j % 3 - 1) * x[j];
    rows.y.push_back(y);
  }
  const auto s = solved(rows, asked("auto", 0, false));
  EXPECT_EQ(s.solver, "qr");
  EXPECT_EQ(s.rank, p);
  EXPECT_GT(s.condition, 1e8);
  for (Index j = 0; j < p; ++j) EXPECT_NEAR(s.w[j], static_cast<double>(j % 3 - 1), 1e-5) << j;
  EXPECT_NE(proof(rows, asked("auto", 0, false), s).verdict, Verdict::refuted);
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
