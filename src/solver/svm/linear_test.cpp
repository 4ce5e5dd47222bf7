// Linear machines by every method come to the same answer, with a gap of next to nothing.
#include "solver/svm/dual_descent.hpp"
#include "solver/svm/interior_point.hpp"
#include "solver/svm/linear.hpp"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace recta::svm {
namespace {

struct LinearCase {
  Loss loss;
  Index rows, cols;
  bool intercept, sparse;
  double cost;
};

struct Made {
  Problem problem;
  LinearRows rows;
};

Made made(const LinearCase& c, double shift = 0) {
  std::mt19937_64 engine(11);
  std::normal_distribution<double> normal;
  Made out{{{c.loss, 0.3}, c.intercept, {}, {}}, LinearRows(c.cols, c.sparse)};
  std::vector<double> x(at(c.cols));
  for (Index i = 0; i < c.rows; ++i) {
    double sum = 0.4;
    for (double& one : x)
      one = engine() % 3 == 0 || c.sparse ? (engine() % 4 == 0 ? normal(engine) : 0) : normal(engine);
    for (Index j = 0; j < std::min<Index>(c.cols, 6); ++j) sum += x[at(j)] * static_cast<double>(j % 2 == 0 ? 1 : -1);
    for (double& one : x) one += c.sparse ? 0 : shift;
    if (c.sparse)
      out.rows.add_sparse([&](const auto& f) {
        for (Index j = 0; j < c.cols; ++j)
          if (x[at(j)] != 0) f(j, x[at(j)]);
      });
    else
      out.rows.add_dense(x.data());
    const double y = sum + 0.8 * normal(engine);
    out.problem.target.push_back(labelled(c.loss) ? (y > 0 ? 1 : -1) : y);
    out.problem.cost.push_back(c.cost * (1 + static_cast<double>(engine() % 3)));
  }
  Pool pool(1);
  if (c.intercept) out.rows.move_to_centre(pool);
  return out;
}

class LinearMachines : public testing::TestWithParam<LinearCase> {};

TEST_P(LinearMachines, CloseTheGap) {
  const Made m = made(GetParam());
  const double null = null_cost(m.problem);
  Pool pool(2);
  const LinearSolution s = solve_linear(m.problem, m.rows, {.tolerance = 1e-11 * null}, pool);
  EXPECT_LE(s.found.gap, 1e-11 * null) << s.reason;
  double sum = 0, size = 0;
  for (const double beta : s.found.state.beta) sum += beta, size += std::abs(beta);
  if (GetParam().intercept) EXPECT_NEAR(sum, 0, 1e-12 * size);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, LinearMachines,
    testing::Values(
        LinearCase{Loss::hinge, 2000, 8, true, false, 1}, LinearCase{Loss::hinge, 2000, 8, false, false, 0.01},
        LinearCase{Loss::hinge, 400, 20, true, false, 100}, LinearCase{Loss::squared_hinge, 2000, 8, true, false, 1},
        LinearCase{Loss::tube, 2000, 8, true, false, 1}, LinearCase{Loss::squared_tube, 1000, 8, true, false, 1},
        LinearCase{Loss::tube, 500, 8, false, false, 10}, LinearCase{Loss::hinge, 1500, 40, true, true, 1},
        LinearCase{Loss::squared_hinge, 800, 40, true, true, 1}, LinearCase{Loss::tube, 800, 40, true, true, 1},
        LinearCase{Loss::hinge, 100, 300, true, false, 1}, LinearCase{Loss::hinge, 300, 900, true, true, 5},
        LinearCase{Loss::tube, 320, 250, true, false, 1}, LinearCase{Loss::tube, 320, 250, false, false, 30},
        LinearCase{Loss::tube, 250, 250, true, false, 0.01}, LinearCase{Loss::tube, 250, 300, true, false, 1},
        LinearCase{Loss::tube, 220, 1600, true, false, 1}));

// Pairs of rows would creep for several hundred steps a row.
TEST(LinearMachine, OfATubeOverAboutAsManyColumnsTakesFewSteps) {
  for (const double epsilon : {0.0, 0.3})
    for (const auto& [rows, cols] : {std::pair<Index, Index>{260, 220}, {220, 220}, {220, 250}}) {
      Made m = made({Loss::tube, rows, cols, true, false, 1});
      m.problem.terms.epsilon = epsilon;
      const double tolerance = 1e-11 * null_cost(m.problem);
      Pool pool(2);
      const LinearSolution s = solve_linear(m.problem, m.rows, {.tolerance = tolerance}, pool);
      EXPECT_LE(s.found.gap, tolerance) << s.reason;
      EXPECT_LE(s.found.steps, rows < cols ? 100 * rows : 60) << s.reason;
    }
}

TEST(LinearMachine, DescentAndInteriorPointAgree) {
  const Made m = made({Loss::hinge, 500, 5, true, false, 0.1});
  Pool pool(1);
  DescentPoint point{std::vector<double>(500), std::vector<double>(5), 0};
  descend(m.problem, m.rows, {1e-8, 5000, 1}, point);
  const LinearSolution s = solve_linear(m.problem, m.rows, {.tolerance = 1e-9}, pool);
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(point.w[j], s.found.w[j], 1e-6);
}

// The same rows as dense ones have an interior point method alone.
TEST(LinearMachine, OfSparseRowsDescendsAndLeavesTheRestToAnInteriorPointMethod) {
  Pool pool(2);
  for (const bool intercept : {true, false})
    for (const double cost : {1e-3, 1.0, 1e3}) {
      const LinearCase c{Loss::hinge, 900, 60, intercept, true, cost};
      const Made m = made(c);
      LinearRows dense(c.cols, false);
      std::vector<double> x(at(c.cols));
      for (Index i = 0; i < c.rows; ++i) m.rows.write_out(i, x.data()), dense.add_dense(x.data());
      const LinearSettings settings{.tolerance = 1e-10 * null_cost(m.problem)};
      const LinearSolution s = solve_linear(m.problem, m.rows, settings, pool);
      const LinearSolution d = solve_linear(m.problem, dense, settings, pool);
      EXPECT_EQ(s.method, cost < 1 ? "dual-descent" : s.method) << s.reason;
      EXPECT_TRUE(s.reason.starts_with("sparse rows: ")) << s.reason;
      EXPECT_EQ(s.reason.contains("interior point"), s.method == "interior-point") << s.reason;
      EXPECT_EQ(d.method, "interior-point");
      EXPECT_LE(s.found.gap, settings.tolerance) << s.reason;
      // |w - w'|^2 / 2 is at most the sum of both gaps.
      const double within = 2 * std::sqrt(settings.tolerance);
      for (std::size_t j = 0; j < x.size(); ++j) EXPECT_NEAR(s.found.w[j], d.found.w[j], within) << j;
      EXPECT_EQ(solve_linear(m.problem, m.rows, settings, *std::make_unique<Pool>(1)).found.w, s.found.w);
    }
}

TEST(LinearRows, OfTheSameNumbersHaveTheSameProducts) {
  const LinearCase c{Loss::hinge, 200, 30, false, true, 1};
  const Made m = made(c);
  LinearRows dense(c.cols, false);
  std::vector<double> x(at(c.cols));
  for (Index i = 0; i < c.rows; ++i) m.rows.write_out(i, x.data()), dense.add_dense(x.data());
  const std::vector<Index> some{3, 17, 18, 40, 199, 7}; // in any order
  std::vector<double> gram(some.size() * some.size()), expected(gram.size());
  Pool pool(2);
  m.rows.products(some, gram.data(), pool);
  dense.products(some, expected.data(), pool);
  for (std::size_t a = 0; a < some.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b)
      EXPECT_NEAR(gram[a * some.size() + b], expected[a * some.size() + b], 1e-13) << a << " " << b;
  const std::vector<double> squares = m.rows.column_squares(pool), dense_squares = dense.column_squares(pool);
  for (std::size_t j = 0; j < x.size(); ++j) {
    double sum = 0;
    for (Index i = 0; i < c.rows; ++i) sum += dense.dense(i)[j] * dense.dense(i)[j];
    EXPECT_NEAR(squares[j], sum, 1e-12 * sum);
    EXPECT_NEAR(dense_squares[j], sum, 1e-12 * sum);
  }
}

TEST(LinearMachine, IsTheSameFarFromTheOrigin) {
  const LinearCase c{Loss::hinge, 600, 5, true, false, 1};
  const Made here = made(c), there = made(c, 1e6);
  Pool pool(1);
  const LinearSolution a = solve_linear(here.problem, here.rows, {.tolerance = 1e-8}, pool);
  const LinearSolution b = solve_linear(there.problem, there.rows, {.tolerance = 1e-8}, pool);
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(a.found.w[j], b.found.w[j], 1e-6);
}

// Large columns: the first full step ends in the minimum but for its rounding.
TEST(LinearMachine, NewtonsMethodTakesOffTheRoundingOfItsLastStep) {
  std::mt19937 random(2);
  Problem problem{{Loss::squared_tube, 0.1}, true, {}, std::vector<double>(40, 1)};
  LinearRows rows(5, false);
  for (int i = 0; i < 40; ++i) {
    std::vector<double> x(5);
    for (double& one : x) one = random() % 1000;
    rows.add_dense(x.data());
    problem.target.push_back(random() % 1000);
  }
  Pool pool(1);
  rows.move_to_centre(pool);
  const double tolerance = 1e-11 * null_cost(problem);
  const LinearSolution s = solve_linear(problem, rows, {.tolerance = tolerance}, pool);
  EXPECT_EQ(s.method, "newton") << s.reason;
  EXPECT_LE(s.found.gap, tolerance);
}

} // namespace
} // namespace recta::svm
