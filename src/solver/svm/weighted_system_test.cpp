// What the factored system gives, multiplied out again row by row.
#include "solver/svm/weighted_system.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace recta::svm {
namespace {

struct Made {
  LinearRows rows;
  std::vector<double> weight, right;
};

Made made(Index cols, bool sparse, bool intercept) {
  std::mt19937_64 engine(9);
  std::normal_distribution<double> normal;
  Made out{LinearRows(cols, sparse), {}, {}};
  for (Index i = 0; i < cols + 40; ++i) {
    std::vector<double> x(at(cols));
    for (int k = 0; k < 12; ++k) x[engine() % at(cols)] = normal(engine);
    if (sparse)
      out.rows.add_sparse([&](const auto& f) {
        for (Index j = 0; j < cols; ++j)
          if (x[at(j)] != 0) f(j, x[at(j)]);
      });
    else
      out.rows.add_dense(x.data());
    out.weight.push_back(i % 5 == 0 ? 0 : std::exp(normal(engine)));
  }
  for (Index j = 0; j < cols + (intercept ? 1 : 0); ++j) out.right.push_back(normal(engine));
  return out;
}

// (I + X'T X, X'T 1; ., 1'T 1) v.
std::vector<double> times(const Made& m, const std::vector<double>& v, Pool& pool) {
  const Index p = m.rows.cols();
  const bool intercept = std::ssize(v) > p;
  std::vector<double> z, out;
  m.rows.scores(std::span(v).first(at(p)), z, pool);
  double sum = 0;
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = m.weight[i] * (z[i] + (intercept ? v.back() : 0)), sum += z[i];
  out = m.rows.combination(z, pool);
  for (std::size_t j = 0; j < at(p); ++j) out[j] += v[j];
  if (intercept) out.push_back(sum);
  return out;
}

// Above 1000 unknowns all threads factor it.
TEST(WeightedSystem, SolvesSmallAndLargeSystems) {
  for (const Index cols : {20, 1100})
    for (const bool sparse : {false, true})
      for (const bool intercept : {false, true}) {
        const Made m = made(cols, sparse, intercept);
        std::vector<double> answer[2];
        for (const int threads : {1, 3}) {
          Pool pool(threads);
          WeightedSystem system(m.rows, intercept ? 1 : 0, pool);
          ASSERT_TRUE(system.factor(m.weight));
          std::vector<double>& x = answer[threads > 1];
          x = m.right;
          system.solve(x);
          const std::vector<double> back = times(m, x, pool);
          for (std::size_t j = 0; j < back.size(); ++j) EXPECT_NEAR(back[j], m.right[j], 1e-10) << cols << " " << j;
        }
        EXPECT_EQ(answer[0], answer[1]); // the same bits at any number of threads
      }
}

// The first weights are summed afresh, then a few that grow or fall are added and taken off, then most of them change.
TEST(WeightedSystem, FollowsWeightsThatChange) {
  Made m = made(20, false, true);
  Pool pool(2);
  WeightedSystem system(m.rows, 1, pool);
  for (const std::size_t every : {1000U, 6U, 7U, 1U}) {
    for (std::size_t i = 0; i < m.weight.size(); i += every) m.weight[i] = m.weight[i] == 0 ? 2 : i % 2 == 0 ? 0 : 0.5;
    ASSERT_TRUE(system.factor_near(m.weight));
    std::vector<double> x = m.right;
    system.solve(x);
    const std::vector<double> back = times(m, x, pool);
    for (std::size_t j = 0; j < back.size(); ++j) EXPECT_NEAR(back[j], m.right[j], 1e-10) << every << " " << j;
  }
}

// Against sums row by row.
TEST(LinearRows, TurnTheirScoresInOnePass) {
  const Made m = made(20, false, false);
  Pool pool(2);
  const std::vector<double> turned = m.rows.turned_scores(
      m.right, [&](Index i, double score) { return m.weight[at(i)] * std::max(0.0, score); }, pool);
  std::vector<double> sum(20);
  for (Index i = 0; i < m.rows.rows(); ++i)
    m.rows.add_to(i, m.weight[at(i)] * std::max(0.0, m.rows.dot(i, m.right.data())), sum.data());
  for (std::size_t j = 0; j < 20; ++j) EXPECT_NEAR(turned[j], sum[j], 1e-12);
}

} // namespace
} // namespace recta::svm
