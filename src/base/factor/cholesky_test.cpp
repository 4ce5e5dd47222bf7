#include "base/factor/cholesky.hpp"
#include "base/listening.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <memory>

namespace recta {
namespace {

// 1 / (i + j + 1): each further size loses about 1.5 digits more.
template <class T>
std::vector<T> hilbert(Index n) {
  std::vector<T> a(n * n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) a[i + j * n] = T(1.0) / T(static_cast<double>(i + j + 1));
  return a;
}

TEST(Cholesky, SolvesATwoByTwoSystemByHand) {
  const Cholesky<double> factor({4, 2, 2, 5}, 2, 0); // 4 x + 2 y = 8, 2 x + 5 y = 12
  const std::vector<double> x = factor.solve({8, 12});
  EXPECT_DOUBLE_EQ(x[0], 1);
  EXPECT_DOUBLE_EQ(x[1], 2);
  const std::vector<double> inverse = factor.inverse_diagonal();
  EXPECT_DOUBLE_EQ(inverse[0], 5.0 / 16);
  EXPECT_DOUBLE_EQ(inverse[1], 4.0 / 16);
}

TEST(Cholesky, DoubleDoubleKeepsItsDigitsWhereDoubleHasNoneLeft) {
  const Index n = 12; // condition number 1.7e16
  const auto a = hilbert<DoubleDouble>(n);
  std::vector<DoubleDouble> rhs(n, DoubleDouble(0.0));
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) rhs[i] += a[i + j * n];
  const Cholesky<DoubleDouble> factor(a, n, 0);
  for (const DoubleDouble& x : factor.solve(rhs)) EXPECT_NEAR(x.hi, 1, 1e-13);
  EXPECT_GT(factor.condition_estimate(), 1e13);
}

TEST(Cholesky, TheConditionIsTheSameWhereverTheHeapPutsItsNumbers) {
  const Index n = 301;                       // from 256 on, the sums of some kernels depend on the address
  std::vector<std::unique_ptr<char[]>> held; // fills the holes, so that the next arrays lie elsewhere
  for (int matrix = 0; matrix < 8; ++matrix) {
    std::vector<double> a(n * n);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i)
        a[i + j * n] = std::cos(static_cast<double>((i + matrix) * (j + matrix))) / 3 + (i == j ? 80 : 0);
    const double first = Cholesky<double>(a, n, 0).condition_estimate();
    for (int k = 0; k < 8; ++k) {
      for (const int arrays : {1, 3}) held.push_back(std::make_unique<char[]>(8 * n * arrays + 16 * (k % 4)));
      EXPECT_EQ(Cholesky<double>(a, n, 0).condition_estimate(), first);
    }
  }
}

TEST(Cholesky, TheLaterOfTwoEqualColumnsIsSetAsideWithItsCombination) {
  // Products of the columns (1,0,1), (0,1,1), (2,-3,-1) = 2 first - 3 second.
  const Cholesky<double> factor({2, 1, 1, 1, 2, -4, 1, -4, 14}, 3, 1e-12);
  EXPECT_EQ(factor.rank(), 2);
  EXPECT_FALSE(factor.is_basic(2));
  const std::vector<double> combination = factor.combination(2);
  EXPECT_NEAR(combination[0], 2, 1e-14);
  EXPECT_NEAR(combination[1], -3, 1e-14);
  EXPECT_EQ(combination[2], 0);
}

TEST(Cholesky, AZeroColumnIsSetAside) {
  const Cholesky<double> factor({0, 0, 0, 3}, 2, 1e-12);
  EXPECT_EQ(factor.basic(), std::vector<Index>{1});
  EXPECT_DOUBLE_EQ(factor.solve({7, 6})[1], 2);
  EXPECT_EQ(factor.solve({7, 6})[0], 0);
}

TEST(Cholesky, RowsGiveTheFactorOfTheirProductsWithoutFormingThem) {
  // Columns (1, e, 0) and (1, 0, e): in their products e^2 would vanish beside 1.
  const double e = 1e-9;
  std::vector<double> beside{2, e, e};
  const auto factor = Cholesky<double>::of_rows({1, e, 0, 1, 0, e}, 3, 2, 1e-24, beside);
  EXPECT_EQ(factor.rank(), 2);
  const std::vector<double> w = factor.backward({beside[0], beside[1]});
  EXPECT_NEAR(w[0], 1, 1e-6);
  EXPECT_NEAR(w[1], 1, 1e-6);
}

TEST(Cholesky, LargeMatricesAreFactoredByTilesWithTheSameBitsAtAnyNumberOfThreads) {
  const Index n = 1100;
  std::vector<double> a(n * n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i)
      a[i + j * n] = (i == j ? 3 : 0) + 1.0 / static_cast<double>(1 + (i * 7 + j * 13) % 101);
  for (Index j = 0; j < n; ++j) a[j + j * n] += 200; // dominant diagonal
  std::vector<double> rhs(n, 1.0);
  Pool one(1), three(3);
  const Cholesky<double> alone(a, n, 1e-12, &one), shared(a, n, 1e-12, &three);
  const std::vector<double> x = alone.solve(rhs);
  EXPECT_EQ(x, shared.solve(rhs));
  EXPECT_EQ(alone.inverse_diagonal(&one), shared.inverse_diagonal(&three));
  for (Index i = 0; i < n; i += 97) {
    double sum = 0;
    for (Index j = 0; j < n; ++j) sum += a[std::min(i, j) + std::max(i, j) * n] * x[j];
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  std::vector<double> unit(n, 0.0);
  unit[500] = 1;
  EXPECT_NEAR(alone.inverse_diagonal(&one)[500], alone.solve(unit)[500], 1e-16);
}

// Toeplitz, diagonally dominant: positive definite at any size.
std::vector<double> dominant(Index n) {
  std::vector<double> a(n * n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) a[i + j * n] = i == j ? 4 : 1 / (1.0 + static_cast<double>((i - j) * (i - j)));
  return a;
}

TEST(Cholesky, OfALargeMatrixStopsWhereItIsToldToAndWatchedItHasTheSameBits) {
  const Index n = 1100;
  for (const int threads : {1, 3}) {
    Pool pool(threads);
    int asked = 0;
    const Watch watch = [&](const Progress&) { return ++asked, true; };
    const Cholesky<double> alone(dominant(n), n, 0, &pool);
    {
      const Listening listening(watch, "factoring");
      const Cholesky<double> watched(dominant(n), n, 0, &pool);
      EXPECT_EQ(watched.rows_in_double(), alone.rows_in_double());
      EXPECT_EQ(watched.inverse_diagonal(&pool), alone.inverse_diagonal(&pool));
    }
    EXPECT_GE(asked, 1);
    const Listening listening([](double) { return false; });
    EXPECT_THROW(Cholesky<double>(dominant(n), n, 0, &pool), Interrupted);
    EXPECT_THROW(alone.inverse_diagonal(&pool), Interrupted);
  }
}

TEST(Cholesky, ColumnByColumnStopsWhereItIsToldTo) {
  const Listening listening([](double) { return false; });
  EXPECT_THROW(Cholesky<DoubleDouble>(hilbert<DoubleDouble>(5), 5, 0), Interrupted);
  std::vector<double> beside;
  EXPECT_THROW(Cholesky<double>::of_rows(hilbert<double>(5), 5, 5, 0, beside), Interrupted);
}

} // namespace
} // namespace recta
