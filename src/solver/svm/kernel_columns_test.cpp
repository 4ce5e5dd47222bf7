// A kernel matrix as the products of columns, and the machine that needs them.
#include "solver/svm/kernel_columns.hpp"
#include "solver/svm/linear.hpp"
#include "solver/svm/smo.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace recta::svm {
namespace {

constexpr Index kRows = 150, kCols = 3;

// Numbers that overlap: the label follows their sum, and much chance.
struct Overlapping {
  std::vector<double> x, t;
  kernel::Points points{kCols};

  Overlapping() {
    std::mt19937_64 engine(5);
    std::normal_distribution<double> normal;
    for (Index i = 0; i < kRows; ++i) {
      double sum = 2 * normal(engine);
      for (Index j = 0; j < kCols; ++j) sum += x.emplace_back(normal(engine));
      points.add(x.data() + i * kCols);
      t.push_back(sum > 0 ? 1 : -1);
    }
  }
};

std::optional<LinearRows> columns_of(const kernel::Points& points, const kernel::Settings& settings, Index most) {
  Pool pool(2);
  const auto kernel = kernel::make_kernel(settings);
  KernelRows<double> rows(*kernel, points, 1 << 20, 64, pool);
  return kernel_columns(rows, most, false, pool);
}

class KernelColumns : public testing::TestWithParam<std::pair<kernel::Settings, Index>> {};

TEST_P(KernelColumns, HaveTheKernelAsTheirProducts) {
  const Overlapping data;
  const auto& [settings, count] = GetParam();
  const auto columns = columns_of(data.points, settings, kRows);
  ASSERT_TRUE(columns);
  if (count > 0) EXPECT_EQ(columns->cols(), count);
  EXPECT_FALSE(columns_of(data.points, settings, columns->cols() - 1)) << "one column too few";
  const auto kernel = kernel::make_kernel(settings);
  std::vector<double> values(static_cast<std::size_t>(kRows * kRows));
  std::vector<Index> all;
  double largest = 0;
  for (Index i = 0; i < kRows; ++i) all.push_back(i), largest = std::max(largest, data.points.own_value(*kernel, i));
  data.points.values_of(*kernel, all, values.data(), kRows);
  for (Index i = 0; i < kRows; ++i)
    for (Index j = 0; j < kRows; ++j)
      EXPECT_NEAR(columns->dot(i, columns->dense(j)), values[static_cast<std::size_t>(i * kRows + j)], 1e-14 * largest);
}

// A polynomial of degree h with a constant has the monomials of p + 1 variables: (p + h choose h).
INSTANTIATE_TEST_SUITE_P(Kernels, KernelColumns,
                         testing::Values(std::pair{kernel::Settings{"linear"}, Index{3}},
                                         std::pair{kernel::Settings{"polynomial", 1, 1, 2}, Index{10}},
                                         std::pair{kernel::Settings{"polynomial", 1, 1, 4}, Index{35}},
                                         std::pair{kernel::Settings{"rbf", 0.05}, Index{0}}));

// The oracle writes the monomials of (1 + <x, z>)^2 out, and solves the linear machine in them.
TEST(Smo, TakesTheColumnsOfAKernelWhereItComesNoNearer) {
  const Overlapping data;
  const Problem problem{{Loss::hinge, 0}, true, data.t, std::vector<double>(kRows, 1e5)};
  Pool pool(2);
  const double tolerance = 1e-9 * null_cost(problem);
  const Solution by_kernel =
      solve_by_smo(problem, *kernel::make_kernel({"polynomial", 1, 1, 2}), data.points, {.tolerance = tolerance}, pool);
  EXPECT_GT(by_kernel.interior_steps, 0);
  EXPECT_LE(by_kernel.gap, tolerance);
  LinearRows monomials(9, false);
  for (Index i = 0; i < kRows; ++i) {
    const double* const x = data.x.data() + i * kCols;
    const double r = std::sqrt(2.0);
    const double z[] = {r * x[0],    r * x[1],        r * x[2],        x[0] * x[0],    x[1] * x[1],
                        x[2] * x[2], r * x[0] * x[1], r * x[0] * x[2], r * x[1] * x[2]};
    monomials.add_dense(z);
  }
  monomials.move_to_centre(pool);
  const Solution linear = solve_linear(problem, monomials, {.tolerance = tolerance}, pool).found;
  EXPECT_LE(linear.gap, tolerance);
  const auto dual = [&](const Solution& s) {
    double sum = 0;
    for (std::size_t i = 0; i < data.t.size(); ++i) sum += s.state.beta[i] * (data.t[i] - s.state.f[i] / 2);
    return sum;
  };
  EXPECT_NEAR(dual(by_kernel), dual(linear), 2 * tolerance);
}

} // namespace
} // namespace recta::svm
