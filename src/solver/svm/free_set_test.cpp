// The exact end from a set of free coefficients that is nearly the right one.
#include "solver/svm/free_set.hpp"
#include "solver/svm/linear_rows.hpp"
#include "solver/svm/smo.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace recta::svm {
namespace {

constexpr Index kRows = 120, kCols = 30;

struct Overlapping {
  LinearRows rows{kCols, false};
  kernel::Points points{kCols};
  std::vector<double> t;

  Overlapping() {
    std::mt19937_64 engine(8);
    std::normal_distribution<double> normal;
    for (Index i = 0; i < kRows; ++i) {
      std::vector<double> x;
      double sum = 4 * normal(engine);
      for (Index j = 0; j < kCols; ++j) sum += x.emplace_back(normal(engine));
      rows.add_dense(x.data()), points.add(x.data());
      t.push_back(sum > 0 ? 1 : -1);
    }
  }
};

// Working sets know nothing of the whole steps. Free coefficients are put a little off, and the one nearest to an end
// of its box there.
TEST(FreeSet, ThatMovesAtOnceComesToTheAnswerOfWorkingSets) {
  const Overlapping data;
  Pool pool(2);
  const Problem hinge{{Loss::hinge, 0}, true, data.t, std::vector<double>(kRows, 0.1)};
  const Problem tube{{Loss::tube, 0.3}, true, data.t, std::vector<double>(kRows, 0.1)};
  for (const Problem& problem : {hinge, tube}) {
    const Solution known =
        solve_by_smo(problem, *kernel::make_kernel({"linear"}), data.points, {.tolerance = 1e-13}, pool);
    State state = known.state;
    std::vector<Index> free;
    const auto room = [&](Index i) { // to the nearest end
      const double beta = known.state.beta[at(i)];
      return std::min(std::abs(beta), std::abs((beta > 0 ? problem.high(i) : problem.low(i)) - beta));
    };
    for (Index i = 0; i < kRows; ++i)
      if (room(i) > 0) free.push_back(i), state.beta[at(i)] *= 0.999;
    ASSERT_GT(free.size(), 10U);
    const Index nearest = std::ranges::min(free, {}, room);
    double& beta = state.beta[at(nearest)];
    beta = std::abs(beta) < 0.05 ? 0 : beta > 0 ? problem.high(nearest) : problem.low(nearest);
    data.rows.scores(data.rows.combination(state.beta, pool), state.f, pool);
    const FreeSetRows rows{pool, [&](std::span<const Index> set, double* gram) { data.rows.products(set, gram, pool); },
                           [&](std::span<const Index> set, std::span<const double> change, State& moved) {
                             for (std::size_t k = 0; k < set.size(); ++k) moved.beta[at(set[k])] += change[k];
                             data.rows.scores(data.rows.combination(moved.beta, pool), moved.f, pool);
                           }};
    EXPECT_TRUE(finish_on_free_set(problem, rows, {.violation = 1e-12, .at_once = true}, state));
    for (Index i = 0; i < kRows; ++i) EXPECT_NEAR(state.beta[at(i)], known.state.beta[at(i)], 1e-10) << i;
  }
}

// The machine of the points -1 and 1 is w = 1: both coefficients are 1/2. About their mean the points are one another's
// negative.
TEST(FreeSet, OfAllRowsAboutTheirMeanIsSolved) {
  Pool pool(1);
  const std::vector<double> x{-1, 1};
  const Problem problem{{Loss::hinge, 0}, true, {-1, 1}, {10, 10}};
  State state{{-0.4, 0.3}, {-0.7, 0.7}};
  const FreeSetRows rows{pool,
                         [&](std::span<const Index> set, double* gram) {
                           for (const Index i : set)
                             for (const Index k : set) *gram++ = x[at(i)] * x[at(k)];
                         },
                         [&](std::span<const Index> set, std::span<const double> change, State& moved) {
                           for (std::size_t k = 0; k < set.size(); ++k) {
                             moved.beta[at(set[k])] += change[k];
                             for (std::size_t i = 0; i < x.size(); ++i) moved.f[i] += x[i] * x[at(set[k])] * change[k];
                           }
                         }};
  EXPECT_TRUE(finish_on_free_set(problem, rows, {.violation = 1e-14}, state));
  EXPECT_NEAR(state.beta[0], -0.5, 1e-15);
  EXPECT_NEAR(state.beta[1], 0.5, 1e-15);
}

// Nothing is known of the right set at zero: that is said, and no time is spent.
TEST(FreeSet, ThatIsFarFromTheRightOneDoesNotMoveAtOnce) {
  const Overlapping data;
  Pool pool(2);
  const Problem problem{{Loss::hinge, 0}, true, data.t, std::vector<double>(kRows, 0.1)};
  State state{std::vector<double>(kRows), std::vector<double>(kRows)};
  const FreeSetRows rows{pool, [&](std::span<const Index> set, double* gram) { data.rows.products(set, gram, pool); },
                         [](std::span<const Index>, std::span<const double>, State&) {}};
  EXPECT_FALSE(finish_on_free_set(problem, rows, {.violation = 1e-12, .at_once = true}, state));
}

} // namespace
} // namespace recta::svm
