// Columns of large numbers beside ordinary ones: which they are, and that their weights are those of methods that know
// nothing of them.
#include "solver/svm/dual_descent.hpp"
#include "solver/svm/heavy_columns.hpp"
#include "solver/svm/interior_point.hpp"
#include "solver/svm/linear.hpp"

#include <gtest/gtest.h>
#include <random>

namespace recta::svm {
namespace {

struct Rows {
  Problem problem;
  LinearRows rows;
};

// The first column is `large` times the others.
Rows rows_with(double large, Loss loss, Index n, Index p, bool sparse) {
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  Rows out{{{loss, 0.2}, true, {}, std::vector<double>(at(n), 0.5)}, LinearRows(p, sparse)};
  std::vector<double> x(at(p));
  for (Index i = 0; i < n; ++i) {
    double sum = normal(engine);
    for (double& one : x) sum += one = normal(engine);
    x[0] *= large;
    sparse ? out.rows.add_sparse([&](const auto& f) {
      for (Index j = 0; j < p; ++j) f(j, x[at(j)]);
    })
           : out.rows.add_dense(x.data());
    out.problem.target.push_back(labelled(loss) ? (sum > 0 ? 1 : -1) : sum);
  }
  Pool pool(1);
  out.rows.move_to_centre(pool);
  return out;
}

TEST(HeavyColumns, AreThoseThatOutweighAllLighterOnes) {
  const Rows some = rows_with(1e6, Loss::hinge, 50, 4, false);
  Pool pool(1);
  const auto heavy = heavy_columns(some.problem, some.rows, pool);
  ASSERT_EQ(heavy.size(), 1U);
  EXPECT_EQ(heavy[0].column, 0);
  EXPECT_EQ(std::exp2(std::round(std::log2(heavy[0].unit))), heavy[0].unit);
  EXPECT_NEAR(std::log2(heavy[0].unit), std::log2(1e6 / std::sqrt(3)), 1.5); // three others
  EXPECT_EQ(heavy[0].z[7] * heavy[0].unit, some.rows.dense(7)[0]);
  const LinearRows in_their_units = in_units(some.rows, heavy);
  EXPECT_EQ(in_their_units.dense(7)[0], heavy[0].z[7]);
  EXPECT_EQ(in_their_units.dense(7)[1], some.rows.dense(7)[1]);
}

TEST(HeavyColumns, AreNoneIfAllAreAlikeOrAllAreZeroButOne) {
  const Rows alike = rows_with(3, Loss::hinge, 50, 4, true);
  Pool pool(1);
  EXPECT_TRUE(heavy_columns(alike.problem, alike.rows, pool).empty());
  Problem problem{{Loss::hinge, 0}, true, {-1, 1}, {1, 1}};
  LinearRows one(2, false);
  for (const double x : {-1e9, 1e9}) one.add_dense(std::vector<double>{x, 0}.data());
  EXPECT_TRUE(heavy_columns(problem, one, pool).empty());
}

// Thirty times as large is not too large for an interior point method.
TEST(HeavyColumns, HaveTheWeightsOfAnInteriorPointMethod) {
  for (const Loss loss : {Loss::hinge, Loss::squared_hinge, Loss::tube, Loss::squared_tube}) {
    const Rows some = rows_with(30, loss, 80, 5, false);
    Pool pool(1);
    const auto heavy = heavy_columns(some.problem, some.rows, pool);
    ASSERT_EQ(heavy.size(), 1U);
    const InteriorPoint inner = solve_by_interior_point(some.problem, some.rows, {.gap = 1e-12}, pool);
    DescentPoint point{std::vector<double>(80), std::vector<double>(5), 0};
    descend(some.problem, in_units(some.rows, heavy), {1e-9, 100000, 1, heavy}, point);
    point.w[0] /= heavy[0].unit;
    for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(point.w[j], inner.w[j], 1e-6) << j;
  }
}

// A weight that is hardly penalised gives the same scores in any unit.
TEST(HeavyColumns, OfAnySizeHaveTheSameScores) {
  for (const Loss loss : {Loss::hinge, Loss::squared_hinge, Loss::tube}) {
    std::vector<double> before;
    for (const double large : {0x1p24, 0x1p34, 0x1p44, 0x1p54}) {
      const Rows some = rows_with(large, loss, 200, 150, true);
      const double tolerance = 1e-11 * null_cost(some.problem);
      Pool pool(2);
      const LinearSolution s = solve_linear(some.problem, some.rows, {.tolerance = tolerance}, pool);
      EXPECT_LE(s.found.gap, tolerance) << s.reason;
      if (before.empty()) before = s.found.w, before[0] *= large;
      EXPECT_NEAR(s.found.w[0] * large, before[0], 1e-6) << large;
      for (std::size_t j = 1; j < before.size(); ++j) EXPECT_NEAR(s.found.w[j], before[j], 1e-6) << large;
    }
  }
}

} // namespace
} // namespace recta::svm
