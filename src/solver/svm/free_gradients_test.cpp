// Conjugate gradients over the free coefficients end in the minimum over them, inside the boxes, with the sum kept.
#include "solver/svm/dual_descent.hpp"
#include "solver/svm/free_gradients.hpp"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace recta::svm {
namespace {

struct Wide {
  Problem problem;
  LinearRows rows;
  State state;
};

// Rows of eight numbers; the state is that of a few passes of descent.
Wide wide(RowTerms terms, bool intercept, double cost, Index n, Index p) {
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal;
  Wide out{{terms, intercept, {}, {}}, LinearRows(p, true), {}};
  for (Index i = 0; i < n; ++i) {
    double sum = 0;
    out.rows.add_sparse([&](const auto& f) {
      for (Index k = 0; k < 8; ++k) {
        const double x = normal(engine);
        f(k * (p / 8) + static_cast<Index>(engine() % static_cast<std::uint64_t>(p / 8)), x);
        sum += x;
      }
    });
    const double y = sum + normal(engine);
    out.problem.target.push_back(labelled(terms.loss) ? (y > 0 ? 1 : -1) : y);
    out.problem.cost.push_back(cost);
  }
  DescentPoint point{std::vector<double>(at(n)), std::vector<double>(at(p)), 0};
  descend(out.problem, out.rows, {1e-2, 40, 3}, point);
  out.state.beta = std::move(point.beta);
  Pool pool(1);
  out.rows.scores(out.rows.combination(out.state.beta, pool), out.state.f, pool);
  return out;
}

Index free_of(const Wide& m) {
  Index out = 0;
  for (Index i = 0; i < m.problem.rows(); ++i) {
    const double beta = m.state.beta[at(i)];
    out += beta != 0 && beta > m.problem.low(i) && beta < m.problem.high(i) ? 1 : 0;
  }
  return out;
}

// The slopes of the free coefficients, which are all the same at the minimum: zero without an intercept.
double spread_of_slopes(const Wide& m) {
  const Slopes slopes(m.problem);
  double least = m.problem.intercept ? kInfinity : 0, most = m.problem.intercept ? -kInfinity : 0;
  for (Index i = 0; i < m.problem.rows(); ++i) {
    const double beta = m.state.beta[at(i)];
    if (beta == 0 || !slopes.may_grow(i, beta) || !slopes.may_shrink(i, beta)) continue;
    least = std::min(least, slopes.up(i, m.state)), most = std::max(most, slopes.up(i, m.state));
  }
  return most - least;
}

struct Kind {
  RowTerms terms;
  bool intercept;
  double cost;
};
class FreeGradientsOf : public testing::TestWithParam<Kind> {};

TEST_P(FreeGradientsOf, LeaveNoSlope) {
  Wide m = wide(GetParam().terms, GetParam().intercept, GetParam().cost, 500, 2000);
  Pool pool(2);
  ASSERT_GT(free_of(m), 50);
  ASSERT_GT(spread_of_slopes(m), 1e-6);
  for (int round = 0; round < 6; ++round) { // coefficients that ended at an end of their box change the set
    const Index steps = follow_free_gradients(m.problem, m.rows, {.gap = 1e-18}, m.state, pool);
    EXPECT_TRUE(steps > 0 || round > 0);
    m.rows.scores(m.rows.combination(m.state.beta, pool), m.state.f, pool);
  }
  EXPECT_LT(spread_of_slopes(m), 1e-9);
  for (Index i = 0; i < m.problem.rows(); ++i) {
    EXPECT_GE(m.state.beta[at(i)], m.problem.low(i));
    EXPECT_LE(m.state.beta[at(i)], m.problem.high(i));
  }
  if (GetParam().intercept) EXPECT_NEAR(std::accumulate(m.state.beta.begin(), m.state.beta.end(), 0.0), 0, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Kinds, FreeGradientsOf,
                         testing::Values(Kind{{Loss::hinge, 0}, false, 10}, Kind{{Loss::hinge, 0}, true, 10},
                                         Kind{{Loss::squared_hinge, 0}, true, 1}, Kind{{Loss::tube, 0.1}, true, 10},
                                         Kind{{Loss::squared_tube, 0.1}, false, 1}));

TEST(FreeGradients, HaveTheSameBitsAtAnyNumberOfThreads) {
  Wide one = wide({Loss::hinge, 0}, true, 10, 9000, 20000), three = one;
  Pool alone(1), together(3);
  ASSERT_GT(free_of(one), 4096); // more rows than a task has
  follow_free_gradients(one.problem, one.rows, {.gap = 1e-3, .steps = 5}, one.state, alone);
  follow_free_gradients(three.problem, three.rows, {.gap = 1e-3, .steps = 5}, three.state, together);
  EXPECT_EQ(one.state.beta, three.state.beta);
}

TEST(FreeGradients, LeaveASetAloneThatIsFarFromTheRightOne) {
  Wide m = wide({Loss::hinge, 0}, false, 1e-3, 500, 2000);
  for (Index i = 0; i < 500; ++i) m.state.beta[at(i)] = m.problem.target[at(i)] * 5e-4; // all belong at the upper end
  Pool pool(1);
  m.rows.scores(m.rows.combination(m.state.beta, pool), m.state.f, pool);
  const std::vector<double> before = m.state.beta;
  EXPECT_EQ(follow_free_gradients(m.problem, m.rows, {.gap = 1e-18}, m.state, pool), 0);
  EXPECT_EQ(m.state.beta, before);
}

} // namespace
} // namespace recta::svm
