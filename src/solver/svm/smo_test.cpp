// Small machines that can be solved on paper, and the laws of the dual on random ones.
#include "base/listening.hpp"
#include "solver/svm/smo.hpp"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace recta::svm {
namespace {

struct Set {
  Index cols = 0;
  std::vector<double> x{}, t{};
  Problem problem(Loss loss, double c, double epsilon = 0) const {
    return {{loss, epsilon}, true, t, std::vector<double>(t.size(), c)};
  }
  kernel::Points points() const {
    kernel::Points out(cols);
    for (std::size_t i = 0; i < t.size(); ++i) out.add(x.data() + at(cols) * i);
    return out;
  }
};

Solution solved(const Set& set, const Problem& problem, const kernel::Settings& kernel, double tolerance = 1e-12) {
  Pool pool(2);
  const kernel::Points points = set.points();
  return solve_by_smo(problem, *kernel::make_kernel(kernel), points, {.tolerance = tolerance}, pool);
}

TEST(Smo, FindsTheTwoPointsThatHoldTheMargin) { // spec S3
  const Set set{1, {-3, -1, 1, 2, 5, 9}, {-1, -1, 1, 1, 1, 1}};
  const Solution s = solved(set, set.problem(Loss::hinge, 10), {"linear"});
  const std::vector<double> want{0, -0.5, 0.5, 0, 0, 0};
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(s.state.beta[i], want[i], 1e-14);
  EXPECT_NEAR(s.intercept(), 0, 1e-14);
}

TEST(Smo, SolvesOneTwoAgainstThreeFour) { // spec S3: w = 2
  const Set set{1, {1, 2, 3, 4}, {-1, -1, 1, 1}};
  const Solution s = solved(set, set.problem(Loss::hinge, 10), {"linear"});
  double w = 0;
  for (std::size_t i = 0; i < 4; ++i) w += s.state.beta[i] * set.x[i];
  EXPECT_NEAR(w, 2, 1e-13);
  EXPECT_NEAR(s.intercept(), -5, 1e-13);
}

TEST(Smo, SeparatesTheRingsByAPolynomial) { // spec W7
  const Set set{2, {1, 0, -1, 0, 0, 1, 0, -1, 2, 0, -2, 0, 0, 2, 0, -2}, {-1, -1, -1, -1, 1, 1, 1, 1}};
  const Solution s = solved(set, set.problem(Loss::hinge, 100), {"polynomial", 1, 0, 2});
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(s.state.f[i] + s.intercept(), -1, 1e-12);
  for (std::size_t i = 4; i < 8; ++i) EXPECT_NEAR(s.state.f[i] + s.intercept(), 1, 1e-12);
  double square = 0;
  for (std::size_t i = 0; i < 8; ++i) square += s.state.beta[i] * s.state.f[i];
  EXPECT_NEAR(2 / std::sqrt(square), 3 / std::sqrt(2.0), 1e-12); // the width of the margin
  EXPECT_NEAR(s.intercept(), -5.0 / 3, 1e-12);
}

TEST(Smo, SolvesExclusiveOr) {
  const Set set{2, {0, 0, 1, 1, 0, 1, 1, 0}, {-1, -1, 1, 1}};
  const Solution s = solved(set, set.problem(Loss::hinge, 1000), {"rbf", 1});
  // By symmetry all coefficients have one size a: a (1 + e^-2 - 2 e^-1) = 1.
  const double a = 1 / (1 + std::exp(-2.0) - 2 * std::exp(-1.0));
  for (const double beta : s.state.beta) EXPECT_NEAR(std::abs(beta), a, 1e-11);
  EXPECT_NEAR(s.intercept(), 0, 1e-12);
}

// With (<x, z> + 1)^2 the four corners have the machine f = -x1 x2: all multipliers are 1/8, |w|^2 = 1/2.
TEST(Smo, SolvesExclusiveOrByAPolynomial) {
  const Set set{2, {1, 1, -1, -1, 1, -1, -1, 1}, {-1, -1, 1, 1}};
  const Solution s = solved(set, set.problem(Loss::hinge, 1000), {"polynomial", 1, 1, 2});
  double square = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(s.state.beta[i], set.t[i] / 8, 1e-14);
    EXPECT_NEAR(s.state.f[i], set.t[i], 1e-14);
    square += s.state.beta[i] * s.state.f[i];
  }
  EXPECT_NEAR(square, 0.5, 1e-14);
  EXPECT_NEAR(s.intercept(), 0, 1e-14);
}

struct Case {
  Loss loss;
  kernel::Settings kernel;
  bool intercept;
  Index rows;
};
class RandomMachines : public testing::TestWithParam<Case> {};

TEST_P(RandomMachines, CloseTheGapInsideTheirBoxes) {
  const Case& c = GetParam();
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal;
  Set set{.cols = 5};
  for (Index i = 0; i < c.rows; ++i) {
    double sum = 0;
    for (Index j = 0; j < 5; ++j) set.x.push_back(normal(engine)), sum += std::sin(set.x.back());
    set.t.push_back(labelled(c.loss) ? (sum + normal(engine) > 0.5 ? 1 : -1) : sum + 0.3 * normal(engine));
  }
  Problem problem = set.problem(c.loss, 1.5, 0.2);
  for (double& cost : problem.cost) cost *= 0.5 + static_cast<double>(engine() % 4);
  problem.intercept = c.intercept;
  const double null = null_cost(problem);
  const Solution s = solved(set, problem, c.kernel, 1e-11 * null);
  EXPECT_LE(s.gap, 1e-11 * null);
  double sum = 0, size = 0;
  for (Index i = 0; i < problem.rows(); ++i) {
    EXPECT_GE(s.state.beta[at(i)], problem.low(i));
    EXPECT_LE(s.state.beta[at(i)], problem.high(i));
    sum += s.state.beta[at(i)], size += std::abs(s.state.beta[at(i)]);
  }
  if (c.intercept) EXPECT_NEAR(sum, 0, 1e-12 * size);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, RandomMachines,
    testing::Values(Case{Loss::hinge, {"linear"}, true, 300}, Case{Loss::hinge, {"rbf", 0.2}, true, 1500},
                    Case{Loss::hinge, {"rbf", 0.2}, false, 700},
                    Case{Loss::hinge, {"polynomial", 0.2, 1, 3}, true, 400},
                    Case{Loss::squared_hinge, {"rbf", 0.2}, true, 700},
                    Case{Loss::squared_hinge, {"linear"}, false, 300}, Case{Loss::tube, {"rbf", 0.2}, true, 1200},
                    Case{Loss::tube, {"linear"}, true, 300}, Case{Loss::squared_tube, {"rbf", 0.2}, true, 600},
                    Case{Loss::tube, {"linear"}, false, 200}));

TEST(Smo, HasTheSameBitsAtAnyNumberOfThreads) {
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal;
  Set set{.cols = 3};
  for (Index i = 0; i < 900; ++i) {
    for (Index j = 0; j < 3; ++j) set.x.push_back(normal(engine));
    set.t.push_back(set.x.back() * set.x[set.x.size() - 2] > 0 ? 1 : -1);
  }
  const Problem problem = set.problem(Loss::hinge, 3);
  const kernel::Points points = set.points();
  const auto kernel = kernel::make_kernel({"rbf", 1});
  Pool one(1), four(4);
  const Solution a = solve_by_smo(problem, *kernel, points, {.tolerance = 1e-9}, one);
  const Solution b = solve_by_smo(problem, *kernel, points, {.tolerance = 1e-9}, four);
  EXPECT_EQ(a.state.beta, b.state.beta);
  EXPECT_EQ(a.intercept(), b.intercept());
}

TEST(Smo, KeepsItsRowsWithinTheMemoryGiven) {
  const Set set{1, std::vector<double>(3000), std::vector<double>(3000, 1)};
  Pool pool(1);
  const kernel::Points points = set.points();
  const auto kernel = kernel::make_kernel({"rbf", 1});
  KernelRows<double> rows(*kernel, points, 1000 * 3000 * 8 + 5, 512, pool);
  EXPECT_EQ(rows.most(), 1000);
  std::vector<Index> some(512);
  std::iota(some.begin(), some.end(), 0);
  rows.rows(some);
  rows.rows(some);
  EXPECT_EQ(rows.computed(), 512);
}

TEST(Smo, KeepsRoundedRowsInHalfTheMemory) {
  const Set set{1, std::vector<double>(3000), std::vector<double>(3000, 1)};
  Pool pool(1);
  const kernel::Points points = set.points();
  const auto kernel = kernel::make_kernel({"rbf", 1});
  KernelRows<float> rows(*kernel, points, 1000 * 3000 * 4 + 5, 512, pool);
  EXPECT_EQ(rows.most(), 1000);
}

// Rows of the kernel matrix as floats are near the kernel: made of products of floats, or of doubles that are rounded
// at the end where those could be off by more (far from the centre, with terms, of compressed rows).
TEST(KernelRows, OfFloatsAreTheKernelRounded) {
  std::mt19937_64 engine(11);
  std::normal_distribution<double> normal;
  Pool pool(2);
  for (const double unit : {1.0, 1e-3, 1e4})
    for (const bool sparse : {false, true})
      for (const kernel::Settings& settings :
           {kernel::Settings{"rbf", 0.1 / (unit * unit)}, kernel::Settings{"rbf", 1e7},
            kernel::Settings{"polynomial", 0.1 / (unit * unit), 1, 3}, kernel::Settings{"laplacian", 0.1 / unit}}) {
        kernel::Points points(7, sparse);
        for (Index i = 0; i < 500; ++i) {
          std::vector<double> x(7);
          for (double& one : x) one = engine() % 2 == 0 ? unit * normal(engine) : 0;
          points.add(x.data());
        }
        const auto kernel = kernel::make_kernel(settings);
        KernelRows<float> rounded(*kernel, points, 1 << 20, 500, pool);
        KernelRows<double> exact(*kernel, points, 1 << 21, 500, pool);
        std::vector<Index> all(500);
        std::iota(all.begin(), all.end(), 0);
        const auto& floats = rounded.rows(all);
        const auto& doubles = exact.rows(all);
        for (std::size_t i = 0; i < 500; ++i)
          for (std::size_t j = 0; j < 500; ++j) {
            const double most = std::max(doubles[i][i], doubles[j][j]);
            ASSERT_NEAR(static_cast<double>(floats[i][j]), doubles[i][j], 2e-4 * most)
                << settings.word << ' ' << unit << ' ' << sparse;
          }
      }
}

// Four columns, and a sum of sines with noise as the target or its side.
Set waves(Index rows, bool sides, double noise, std::mt19937_64& engine) {
  std::normal_distribution<double> normal;
  Set out{.cols = 4};
  for (Index i = 0; i < rows; ++i) {
    double sum = 0;
    for (Index j = 0; j < 4; ++j) out.x.push_back(normal(engine)), sum += std::sin(2 * out.x.back());
    out.t.push_back(sides ? (sum + noise * normal(engine) > 0.5 ? 1 : -1) : sum + 0.3 * normal(engine));
  }
  return out;
}

// Summed up anew in doubles.
std::vector<double> exact_scores(const kernel::Points& points, const kernel::Kernel& kernel,
                                 const std::vector<double>& beta) {
  std::vector<double> f, k(beta.size());
  for (Index i = 0; i < points.count(); ++i) {
    points.values_of(kernel, std::span(&i, 1), k.data(), points.count());
    f.push_back(std::inner_product(k.begin(), k.end(), beta.begin(), 0.0));
  }
  return f;
}

struct RoundedCase {
  Loss loss;
  kernel::Settings kernel;
  double tolerance; // of the loss without a model
};
class RoundedMachines : public testing::TestWithParam<RoundedCase> {};

// Enough rows that the search begins with rounded ones.
TEST_P(RoundedMachines, AreWithinTheirToleranceByExactScores) {
  const RoundedCase& c = GetParam();
  std::mt19937_64 engine(13);
  const Set set = waves(2600, labelled(c.loss), 1, engine);
  Problem problem = set.problem(c.loss, 1.5, 0.2);
  for (double& cost : problem.cost) cost *= 0.5 + static_cast<double>(engine() % 4);
  const double tolerance = c.tolerance * null_cost(problem);
  const kernel::Points points = set.points();
  const auto kernel = kernel::make_kernel(c.kernel);
  Pool one(1), three(3);
  const Solution s = solve_by_smo(problem, *kernel, points, {.tolerance = tolerance}, one);
  const Solution same = solve_by_smo(problem, *kernel, points, {.tolerance = tolerance}, three);
  EXPECT_EQ(s.state.beta, same.state.beta);
  EXPECT_FALSE(s.gave_up);
  const std::vector<double> f = exact_scores(points, *kernel, s.state.beta);
  EXPECT_LE(gap_of(problem, s.state.beta, f, best_intercepts(problem, f).middle()), tolerance);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, RoundedMachines,
    testing::Values(RoundedCase{Loss::hinge, {"rbf", 0.2}, 1e-4}, RoundedCase{Loss::hinge, {"rbf", 0.2}, 1e-10},
                    RoundedCase{Loss::hinge, {"rbf", 20}, 1e-6},
                    RoundedCase{Loss::hinge, {"polynomial", 0.2, 1, 3}, 1e-4},
                    RoundedCase{Loss::hinge, {"laplacian", 0.2}, 1e-8},
                    RoundedCase{Loss::squared_hinge, {"rbf", 0.2}, 1e-5}, RoundedCase{Loss::tube, {"rbf", 0.2}, 1e-4},
                    RoundedCase{Loss::tube, {"rbf", 0.2}, 1e-8}, RoundedCase{Loss::squared_tube, {"rbf", 0.2}, 1e-6}));

// The memory has room for a fifth of the rows, and few of them lie near the border.
struct Narrow {
  std::mt19937_64 engine{17};
  Set set = waves(6000, true, 0.1, engine);
  Problem problem = set.problem(Loss::hinge, 2);
  double tolerance = 1e-4 * null_cost(problem);
  SmoSettings settings{.tolerance = tolerance, .cache = 6000 * 4 * 1200};
  kernel::Points points = set.points();
  std::unique_ptr<const kernel::Kernel> kernel = kernel::make_kernel({"rbf", 0.5});
};

TEST(Smo, RowsThatMayStillMoveGoOnAmongThemselvesWhereTheMemoryIsSmall) {
  const Narrow n;
  Pool one(1), three(3);
  const Solution s = solve_by_smo(n.problem, *n.kernel, n.points, n.settings, one);
  EXPECT_GT(s.narrowed, 0);
  const std::vector<double> f = exact_scores(n.points, *n.kernel, s.state.beta);
  EXPECT_LE(gap_of(n.problem, s.state.beta, f, best_intercepts(n.problem, f).middle()), n.tolerance);
  EXPECT_EQ(solve_by_smo(n.problem, *n.kernel, n.points, n.settings, three).state.beta, s.state.beta);
  SmoSettings roomy = n.settings;
  roomy.cache = 6000 * 4 * 6000;
  EXPECT_EQ(solve_by_smo(n.problem, *n.kernel, n.points, roomy, three).narrowed, 0);
}

// Stopped among some of the rows or among all: the scores are those of the coefficients.
TEST(Smo, WhatMovedAmongSomeRowsIsKeptWhenTheSearchIsStopped) {
  const Narrow n;
  Pool pool(2);
  bool stopped = false;
  for (const int asked : {2, 3, 5, 8}) {
    int left = asked;
    const Listening listening([&](double) { return --left > 0; });
    const Solution s = solve_by_smo(n.problem, *n.kernel, n.points, n.settings, pool);
    stopped = stopped || s.interrupted;
    const std::vector<double> f = exact_scores(n.points, *n.kernel, s.state.beta);
    for (std::size_t i = 0; i < f.size(); ++i) ASSERT_NEAR(s.state.f[i], f[i], 1e-3) << asked;
  }
  EXPECT_TRUE(stopped);
}

// The kernel matrix of one machine serves the next, bit for bit, and its coefficients are a start within every box of a
// larger C.
TEST(Smo, GoesOnFromAnotherCostWithTheSameKernelRows) {
  std::mt19937_64 engine(8);
  std::normal_distribution<double> normal;
  Set set{2, {}, {}};
  for (int i = 0; i < 900; ++i) {
    set.x.push_back(normal(engine)), set.x.push_back(normal(engine));
    set.t.push_back(set.x.back() * set.x[set.x.size() - 2] + 0.5 * normal(engine) > 0 ? 1 : -1);
  }
  const auto problem = [&](double c) {
    return Problem{{Loss::hinge, 0}, true, set.t, std::vector<double>(set.t.size(), c)};
  };
  Pool pool(2);
  const kernel::Points points = set.points();
  const auto kernel = kernel::make_kernel({"rbf", 0.5});
  KernelRows<double> rows(*kernel, points, 900 * 900 * 8, 512, pool);
  const Solution small = solve_by_smo(problem(2), rows, {.tolerance = 1e-9}, pool);
  const Solution own = solve_by_smo(problem(2), *kernel, points, {.tolerance = 1e-9}, pool);
  EXPECT_EQ(small.state.beta, own.state.beta);
  const Solution cold = solve_by_smo(problem(3), rows, {.tolerance = 1e-9}, pool);
  const Index computed = rows.computed();
  std::vector<double> start = small.state.beta;
  for (double& one : start) one *= 1.5; // from end to end
  const Solution warm = solve_by_smo(problem(3), rows, {.tolerance = 1e-9, .start = start}, pool);
  EXPECT_EQ(rows.computed(), computed);
  EXPECT_LT(warm.steps, cold.steps);
  EXPECT_LE(warm.gap, 1e-9);
  const auto dual = [&](const Solution& s) {
    double sum = 0;
    for (std::size_t i = 0; i < set.t.size(); ++i) sum += s.state.beta[i] * (set.t[i] - s.state.f[i] / 2);
    return sum;
  };
  EXPECT_NEAR(dual(warm), dual(cold), 2e-9);
  // A start that is worse than zero is not taken: the same steps as from zero.
  std::vector<double> bad(set.t.size());
  for (std::size_t i = 0; i < bad.size(); ++i) bad[i] = set.t[i] > 0 ? 3 : 0;
  double owed = 0;
  for (const double one : bad) owed += one;
  for (std::size_t i = 0; i < bad.size() && owed > 0; ++i)
    if (set.t[i] < 0) bad[i] = -std::min(3.0, owed), owed += bad[i];
  const Solution same = solve_by_smo(problem(3), rows, {.tolerance = 1e-9, .start = bad}, pool);
  EXPECT_EQ(same.state.beta, cold.state.beta);
}

} // namespace
} // namespace recta::svm
