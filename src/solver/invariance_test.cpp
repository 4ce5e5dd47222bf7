// Changes that must not change the answer: units, shifts, repetition, threads, layout.
#include "solver/test_problems.hpp"

namespace recta {
namespace {

using namespace testing;

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
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rows weighted = random_rows(20, 3, 1, seed), repeated(0, 3, {}, {});
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
      for (Index j = 0; j < 3; ++j) EXPECT_NEAR(a.w[j], b.w[j], 2e-15) << solver << " " << seed;
      EXPECT_NEAR(a.b[0], b.b[0], 2e-15) << solver << " " << seed;
    }
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

} // namespace
} // namespace recta
