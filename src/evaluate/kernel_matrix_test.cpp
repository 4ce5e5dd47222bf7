// Kernel matrices against values worked by hand, and Mercer's condition with its witness.
#include <recta/kernel.hpp>

#include <cmath>
#include <gmock/gmock.h>

namespace recta {
namespace {

using ::testing::HasSubstr;

KernelMatrix made(const std::vector<double>& x, Index cols, const KernelOptions& options) {
  const auto rows = static_cast<Index>(x.size()) / cols;
  auto out = kernel_matrix(MatrixView::row_major(x.data(), rows, cols), options);
  EXPECT_TRUE(out.has_value()) << out.error().text();
  return *std::move(out);
}

TEST(KernelMatrices, HaveTheValuesOfTheirFormulas) {
  const std::vector<double> x{0, 1, 3, 5}; // (0, 1) and (3, 5): 5 apart, 7 by absolute differences
  EXPECT_NEAR(made(x, 2, {.kernel = "rbf", .gamma = 0.1}).values[1], std::exp(-2.5), 1e-15);
  EXPECT_NEAR(made(x, 2, {.kernel = "laplacian", .gamma = 0.1}).values[1], std::exp(-0.7), 1e-15);
  EXPECT_NEAR(made(x, 2, {.kernel = "chi2", .gamma = 0.3}).values[2], std::exp(-0.3 * (3 + 16.0 / 6)), 1e-15);
  EXPECT_EQ(made(x, 2, {.kernel = "polynomial", .gamma = 1, .coef = 2, .degree = 2}).values[1], 49);
  EXPECT_EQ(made(x, 2, {.kernel = "linear"}).values[3], 34);
}

TEST(KernelMatrices, RefuseWhatTheKernelDoesNotTake) {
  const std::vector<double> x{0, 1, -3, 5};
  const auto refusal = [&](const KernelOptions& options) {
    return kernel_matrix(MatrixView::row_major(x.data(), 2, 2), options).error().text();
  };
  EXPECT_THAT(refusal({.kernel = "chi2"}), HasSubstr("row 2, column 1: -3 is below zero; the kernel chi2 takes"));
  EXPECT_THAT(refusal({.kernel = "rbd"}), HasSubstr("did you mean \"rbf\"?"));
  EXPECT_THAT(refusal({.gamma = -1}), HasSubstr("-1 is not a number above zero"));
  EXPECT_THAT(refusal({.kernel = "polynomial", .coef = -1}), HasSubstr("not an inner product"));
}

TEST(MercersCondition, FailsWithAVectorThatShowsIt) {
  const std::vector<double> k{1, 2, 2, 1}; // eigenvalues 3 and -1
  const auto check = mercer_check(MatrixView::row_major(k.data(), 2, 2));
  ASSERT_TRUE(check.has_value());
  EXPECT_FALSE(check->holds());
  EXPECT_EQ(check->negative, 1);
  EXPECT_NEAR(check->least, -1, 1e-15);
  EXPECT_NEAR(check->largest, 3, 1e-15);
  const double v = check->witness.at(0), u = check->witness.at(1);
  EXPECT_NEAR(v * v + 4 * v * u + u * u, check->quadratic, 1e-15);
  EXPECT_NEAR(check->quadratic, -1, 1e-15);
  EXPECT_THAT(check->sentence(), HasSubstr("Not positive semidefinite"));
}

TEST(MercersCondition, HoldsForKernelsThatAreInnerProducts) {
  std::vector<double> x;
  for (Index i = 0; i < 60; ++i) x.push_back(std::fmod(static_cast<double>(i) * 0.77, 3));
  for (const char* word : {"linear", "rbf", "polynomial", "laplacian", "chi2"}) {
    const auto check = mercer_check(made(x, 3, {.kernel = word, .gamma = 0.5}));
    ASSERT_TRUE(check.has_value());
    EXPECT_TRUE(check->holds() && check->definite) << word << ": " << check->sentence();
  }
}

TEST(MercersCondition, RefusesWhatIsNoSymmetricMatrix) {
  const std::vector<double> k{1, 2, 3, 1};
  EXPECT_THAT(mercer_check(MatrixView::row_major(k.data(), 2, 2)).error().text(),
              HasSubstr("kernel, row 1, column 2: 2 here and 3 in row 2, column 1"));
  EXPECT_THAT(mercer_check(MatrixView::row_major(k.data(), 1, 2)).error().text(), HasSubstr("is not square"));
}

TEST(FunctionMatrix, IsThatOfTheFunctionForAllPairs) {
  const std::vector<double> x{1, 2, 3, 4, 5, 6}, z{1, 0};
  const auto product = [](std::span<const double> a, std::span<const double> b) { return a[0] * b[0] + a[1] * b[1]; };
  const MatrixView rows = MatrixView::row_major(x.data(), 3, 2);
  const auto k = function_matrix(product, rows, rows);
  ASSERT_TRUE(k.has_value());
  EXPECT_EQ(*k, (std::vector<double>{5, 11, 17, 11, 25, 39, 17, 39, 61}));
  EXPECT_EQ(*function_matrix(product, rows, MatrixView::row_major(z.data(), 1, 2)), (std::vector<double>{1, 3, 5}));
}

TEST(FunctionMatrix, TellsWhatAFunctionDoesWrong) {
  const std::vector<double> x{1, 2, 3};
  const MatrixView rows = MatrixView::row_major(x.data(), 3, 1);
  using Row = std::span<const double>;
  EXPECT_THAT(function_matrix([](Row, Row) -> double { throw std::runtime_error("oh no"); }, rows, rows).error().text(),
              HasSubstr("row 1 with row 1: the function threw: oh no"));
  EXPECT_THAT(function_matrix([](Row a, Row b) { return a[0] == 2 && b[0] == 3 ? std::nan("") : 1.0; }, rows, rows)
                  .error()
                  .text(),
              HasSubstr("row 2 with row 3: the function gives nan"));
  EXPECT_THAT(function_matrix([](Row a, Row b) { return a[0] - b[0]; }, rows, rows).error().text(),
              HasSubstr("row 2 with row 1: 1 here and -1 in the other order"));
  EXPECT_THAT(function_matrix({}, rows, rows).error().text(), HasSubstr("the function is empty"));
}

} // namespace
} // namespace recta
