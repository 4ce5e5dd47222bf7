// Columns that are equal, constant, combinations of others, nearly so, or more than there are rows.
#include "solver/test_problems.hpp"

#include <fmt/format.h>

namespace recta {
namespace {

using namespace testing;

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
    if (solver == "lsmr") continue;
    EXPECT_EQ(s.rank, 2) << solver;
    ASSERT_EQ(s.aliased.size(), 1u) << solver;
    EXPECT_EQ(s.aliased[0].column, 2);
    ASSERT_EQ(s.aliased[0].equals.size(), 1u);
    EXPECT_EQ(s.aliased[0].equals[0].first, 0);
    EXPECT_NEAR(s.aliased[0].equals[0].second, 1, 1e-12);
    EXPECT_TRUE(std::isnan(s.inverse_diagonal[0]));
    if (solver == "dual") continue;
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
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const double lambda2 : {0.0, 1.0})
      for (const std::string& solver : kAll) {
        Rows rows = random_rows(30, 3, 1, seed);
        for (Index i = 0; i < 30; ++i) rows.x[i * 3 + 1] = 0.1;
        const auto s = solved(rows, asked(solver, lambda2));
        EXPECT_EQ(s.w[1], 0) << solver << " " << seed;
        EXPECT_EQ(s.constant, std::vector<Index>{1}) << solver;
        EXPECT_EQ(s.rank, 2) << solver;
      }
}

TEST(LeastSquares, AConstantColumnBesideOneWithoutPenaltyGetsCoefficientZeroToo) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const std::string& solver : std::vector<std::string>{"gram", "qr", "svd", "lsmr"}) {
      Rows rows = random_rows(30, 3, 1, seed);
      for (Index i = 0; i < 30; ++i) rows.x[i * 3 + 1] = 0.1;
      EXPECT_EQ(solved(rows, with_factors(asked(solver, 1), {1, 1, 0})).w[1], 0) << solver << " " << seed;
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

TEST(LeastSquares, AHardlyPenalisedAnswerIsThatOfLeastNormByIterationAndBySingularVectorsToo) {
  Rows rows = random_rows(50, 100);
  for (Index i = 0; i < 50; ++i)
    for (Index j = 0; j < 100; ++j) rows.x[i * 100 + j] *= static_cast<double>(1 + j % 7);
  for (const std::string& solver : std::vector<std::string>{"lsmr", "svd"})
    for (const double lambda2 : {2e-18, 1e-12, 1e-4, 1.0})
      for (const bool units : {false, true}) {
        const auto as = [&](const std::string& word) {
          return units ? standardised(asked(word, lambda2)) : asked(word, lambda2);
        };
        const auto dual = solved(rows, as("dual")), other = solved(rows, as(solver));
        for (std::size_t j = 0; j < dual.w.size(); ++j)
          EXPECT_NEAR(other.w[j], dual.w[j], 1e-11) << solver << " " << lambda2;
        EXPECT_EQ(proof(rows, as(solver), other).verdict, Verdict::proved) << solver << " " << lambda2;
      }
}

// Ridge with two equal columns is ridge with one of them, sqrt(2) times as long; exact, and with digits to spare.
TEST(LeastSquares, EqualColumnsThatAreHardlyPenalisedShareTheirCoefficient) {
  for (const double lambda2 : {2e-18, 1e-12, 1e-4}) {
    Rows rows = random_rows(30, 3);
    for (Index i = 0; i < 30; ++i) rows.x[i * 3 + 2] = rows.x[i * 3];
    const auto gram = solved(rows, asked("gram", lambda2)), svd = solved(rows, asked("svd", lambda2));
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(svd.w[j], gram.w[j], 1e-13) << lambda2;
    EXPECT_NEAR(svd.w[0], svd.w[2], 1e-15) << lambda2;
  }
}

// The second column is 2^-60 of the first: a direction that is lost beside it, although the target depends on it.
TEST(LeastSquares, AColumnOfTinyNumbersIsFittedBesideAPenaltyThatIsTinierStill) {
  Rows rows = random_rows(40, 2);
  for (Index i = 0; i < 40; ++i) rows.x[i * 2 + 1] = std::ldexp(rows.x[i * 2 + 1], -60);
  const double lambda2 =
      0x1p-180; // 2^-60 of the square of the smaller singular value: the answer is that of least squares
  const auto exact = exact_least_squares(rows, true);
  const auto s = solved(rows, asked("svd", lambda2));
  EXPECT_NEAR(s.w[0], to_double(exact.w[1]), 1e-13);
  EXPECT_NEAR(std::ldexp(s.w[1], -60), std::ldexp(to_double(exact.w[2]), -60), 1e-13);
}

TEST(LeastSquares, WithMoreColumnsThanRowsTheDualNamesTheSameCombinationsAsReflectionsDo) {
  Rows rows = random_rows(8, 20);
  for (Index i = 0; i < 8; ++i) {
    rows.x[i * 20 + 2] = 3 * rows.x[i * 20] - rows.x[i * 20 + 1] + 5; // before the rank is full
    rows.x[i * 20 + 4] = 1;
    rows.x[i * 20 + 6] *= 1024;
    rows.x[i * 20 + 15] *= 4096;
  }
  for (const bool units : {false, true}) {
    const auto as = [&](const std::string& solver) { return units ? standardised(asked(solver)) : asked(solver); };
    const auto qr = solved(rows, as("qr")), dual = solved(rows, as("dual"));
    ASSERT_EQ(dual.aliased.size(), qr.aliased.size());
    for (std::size_t c = 0; c < qr.aliased.size(); ++c) {
      EXPECT_EQ(dual.aliased[c].column, qr.aliased[c].column);
      ASSERT_EQ(dual.aliased[c].equals.size(), qr.aliased[c].equals.size()) << c;
      for (std::size_t k = 0; k < qr.aliased[c].equals.size(); ++k) {
        const auto [column, factor] = qr.aliased[c].equals[k];
        EXPECT_EQ(dual.aliased[c].equals[k].first, column);
        EXPECT_NEAR(dual.aliased[c].equals[k].second, factor, 1e-11 * std::abs(factor));
      }
    }
  }
}

TEST(LeastSquares, OfVeryManyCombinationsTheFirstAreNamedAndTheOthersCounted) {
  Rows rows = random_rows(200, 1500);
  const auto s = solved(rows);
  EXPECT_EQ(s.solver, "dual");
  ASSERT_FALSE(s.aliased.empty());
  EXPECT_EQ(s.aliased[0].column, 199);
  Index terms = 0;
  for (const AliasedColumn& one : s.aliased) terms += static_cast<Index>(one.equals.size());
  EXPECT_LE(terms, 50'000);
  ASSERT_FALSE(s.notes.empty());
  EXPECT_EQ(s.notes.back(), fmt::format("rank 199 of 1500 columns: the answer of least norm among many; {} of the 1301 "
                                        "columns that are combinations of others are named",
                                        s.aliased.size()));
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
          EXPECT_EQ(c.verdict, Verdict::proved) << what; // dependent columns are so in every digit
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
        // LSMR scales columns to unit length if there are more rows than columns, and its answer has least norm in
        // those units.
        if (solver == "lsmr" && rows.n >= rows.p) continue;
        for (Index j = 0; j < rows.p; ++j) EXPECT_NEAR(s.w[j], reference.w[j], 1e-12) << solver << " seed " << seed;
      }
    }
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
    double y = 0; // exact: few bits per number
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

} // namespace
} // namespace recta
