// The answers are compared with the conditions an optimum must meet, computed here from the data alone, with answers
// known in closed form, and with the lasso if groups are single columns.
#include "base/random.hpp"
#include "solver/elastic_net.hpp"
#include "solver/group_norm.hpp"

#include <bit>
#include <gmock/gmock.h>

namespace recta {
namespace {

struct Problem {
  Index n, p, k;
  std::vector<double> x, y, weight; // by column
  MatrixView view() const { return MatrixView::col_major(x.data(), n, p); }
};

Problem random_problem(Index n, Index p, Index k, std::uint64_t seed) {
  Random random(seed);
  Problem made{n, p, k, {}, {}, {}};
  for (Index j = 0; j < p; ++j)
    for (Index i = 0; i < n; ++i) {
      const double before = j > 0 ? made.x[(j - 1) * n + i] : 0;
      made.x.push_back(0.6 * before + random.normal() * (1 + static_cast<double>(j % 5)));
    }
  for (Index t = 0; t < k; ++t)
    for (Index i = 0; i < n; ++i) {
      double y = random.normal() + 5;
      for (Index j = 0; j < std::min(p, Index{6}); ++j) y += ((j + t) % 2 ? -2 : 1.5) * made.x[j * n + i];
      made.y.push_back(y);
    }
  for (Index i = 0; i < n; ++i) made.weight.push_back(static_cast<double>(i % 4)); // zeros among them
  return made;
}

Gram gram_of(const Problem& problem) {
  Gram gram(problem.p, problem.k);
  gram.accumulate(
      {problem.view(), MatrixView::col_major(problem.y.data(), problem.n, problem.k), problem.weight, {}, 0});
  return gram;
}

// Consecutive columns, a few per group.
Groups groups_of(Index p, Index size) {
  Groups groups;
  std::vector<Index> waiting;
  for (Index j = 0; j < p; ++j) {
    waiting.push_back(j);
    if (static_cast<Index>(waiting.size()) < size && j + 1 < p) continue;
    groups.add(waiting);
    waiting.clear();
  }
  return groups;
}

GroupNormObjective objective_of(Groups groups, double lambda1, double lambda2 = 0) {
  GroupNormObjective o{.lambda1 = lambda1, .lambda2 = lambda2, .groups = std::move(groups), .joint = true};
  for (Index g = 0; g < o.groups.count(); ++g) o.factors.push_back(std::sqrt(static_cast<double>(o.groups[g].size())));
  return o;
}

// The distance of (w, b) from the conditions of an optimum, in units of the largest correlation of a group. A gap of G
// allows a group of columns of length L a distance of L sqrt(2 G): solves ask for 1e-15, tests for 1e-6.
double distance(const Problem& problem, const GroupNormObjective& o, const GroupNormSolution& s) {
  const Index n = problem.n, p = problem.p, k = problem.k;
  double total = 0, worst = 0, scale = 0;
  for (const double v : problem.weight) total += v;
  std::vector<double> mean(static_cast<std::size_t>(p)), sd(mean.size(), 1),
      g(mean.size() * static_cast<std::size_t>(k));
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < n; ++i) mean[j] += problem.weight[i] / total * problem.x[j * n + i];
    double square = 0;
    for (Index i = 0; i < n; ++i)
      square += problem.weight[i] / total * (problem.x[j * n + i] - mean[j]) * (problem.x[j * n + i] - mean[j]);
    if (o.standardise) sd[j] = std::sqrt(square);
  }
  for (Index t = 0; t < k; ++t) {
    double mean_residual = 0;
    std::vector<double> r(problem.y.begin() + t * n, problem.y.begin() + (t + 1) * n);
    for (Index j = 0; j < p; ++j)
      for (Index i = 0; i < n; ++i) r[i] -= s.w[j + t * p] * problem.x[j * n + i];
    for (Index i = 0; i < n; ++i) mean_residual += problem.weight[i] / total * (r[i] -= s.b[t]);
    if (o.intercept) worst = std::max(worst, std::abs(mean_residual));
    for (Index j = 0; j < p; ++j)
      for (Index i = 0; i < n; ++i)
        g[j + t * p] += problem.weight[i] / total * r[i] * (problem.x[j * n + i] - (o.centred() ? mean[j] : 0));
  }
  for (Index b = 0; b < o.groups.count(); ++b) {
    double length = 0, size = 0, off = 0;
    const auto each = [&](const auto& visit) {
      for (Index t = 0; t < k; ++t)
        for (const Index j : o.groups[b])
          if (sd[j] > 0) visit(s.w[j + t * p] * sd[j], g[j + t * p] / sd[j]);
    };
    each([&](double u, double h) { length += u * u, size += h * h; });
    length = std::sqrt(length), size = std::sqrt(size);
    const double l1 = o.lambda1 * o.factors[b];
    each([&](double u, double h) {
      const double rest = length > 0 ? h - o.lambda2 * u - l1 * u / length : 0;
      off += rest * rest;
    });
    scale = std::max(scale, size);
    worst = std::max(worst, length > 0 ? std::sqrt(off) : size - l1);
  }
  return worst / std::max(scale, 1e-300);
}

struct Case {
  std::string name;
  GroupNormObjective objective;
};

std::vector<Case> cases(Index p) {
  std::vector<Case> all{{"groups of one", objective_of(Groups::of_one(p), 0.5)},
                        {"groups of three", objective_of(groups_of(p, 3), 0.4)},
                        {"with squares", objective_of(groups_of(p, 4), 0.3, 0.2)},
                        {"through zero", objective_of(groups_of(p, 2), 0.5)},
                        {"standardised", objective_of(groups_of(p, 3), 0.1)},
                        {"standardised through the means", objective_of(groups_of(p, 5), 0.1)},
                        {"little penalty", objective_of(groups_of(p, 3), 0.02)}};
  all[3].objective.intercept = all[5].objective.intercept = false;
  all[4].objective.standardise = all[5].objective.standardise = true;
  return all;
}

class BlockShapes : public testing::TestWithParam<std::tuple<Index, Index, Index>> {};
INSTANTIATE_TEST_SUITE_P(RowsColumnsTargets, BlockShapes,
                         testing::Combine(testing::Values(200, 40), testing::Values(7, 150), testing::Values(1, 3)));

TEST_P(BlockShapes, TheAnswerMeetsTheConditionsOfAnOptimum) {
  const auto [n, p, k] = GetParam();
  const Problem problem = random_problem(n, p, k, 7);
  const Gram gram = gram_of(problem);
  Pool pool(2);
  for (const Case& one : cases(p)) {
    const auto by_columns =
        group_norm_by_columns(problem.view(), problem.y, problem.weight, pool)->solve(one.objective, 1e-15);
    EXPECT_LT(distance(problem, one.objective, by_columns), 1e-6) << one.name << ": " << by_columns.stop.text();
    const auto by_gram = group_norm_by_gram(gram, 0, k)->solve(one.objective, 1e-15);
    EXPECT_LT(distance(problem, one.objective, by_gram), 1e-6) << one.name << ": " << by_gram.stop.text();
  }
}

TEST_P(BlockShapes, SparseColumnsMeetTheSameConditions) {
  const auto [n, p, k] = GetParam();
  Problem problem = random_problem(n, p, k, 14);
  std::vector<std::int32_t> start{0}, index;
  std::vector<double> value;
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < n; ++i) {
      double& x = problem.x[j * n + i];
      if ((i * 7 + j * 3) % 5 != 0) x = 0;
      if (x != 0) index.push_back(static_cast<std::int32_t>(i)), value.push_back(x);
    }
    start.push_back(static_cast<std::int32_t>(index.size()));
  }
  const SparseView view{n, p, start.data(), index.data(), value.data(), IndexWidth::bits32, Compressed::by_column};
  Pool pool(2);
  for (const Case& one : cases(p)) {
    const auto solved = group_norm_by_columns(view, problem.y, problem.weight, pool)->solve(one.objective, 1e-15);
    EXPECT_LT(distance(problem, one.objective, solved), 1e-6) << one.name << ": " << solved.stop.text();
  }
}

TEST(BlockDescent, GroupsOfOneColumnAreTheLasso) {
  for (const auto& [n, p] : {std::pair<Index, Index>{80, 12}, {40, 100}}) {
    const Problem problem = random_problem(n, p, 1, 3);
    Pool pool(1);
    const auto lasso = elastic_net_by_columns(problem.view(), problem.y, problem.weight, pool)
                           ->solve({.lambda1 = 0.3, .lambda2 = 0.05}, 1e-14);
    const auto grouped = group_norm_by_columns(problem.view(), problem.y, problem.weight, pool)
                             ->solve(objective_of(Groups::of_one(p), 0.3, 0.05), 1e-14);
    for (Index j = 0; j < p; ++j) EXPECT_NEAR(grouped.w[j], lasso.w[j], 1e-9) << j;
    EXPECT_NEAR(grouped.b[0], lasso.b, 1e-9);
  }
}

// Columns of a Hadamard matrix: <z_i, z_j> = 0, <z_j, z_j> = 1 in the mean.
TEST(BlockDescent, GroupsOfOrthonormalColumnsAreSoftThresholded) {
  Problem problem{8, 4, 2, {}, {3, -1, 4, 1, -5, 9, 2, 6, 2, 7, 1, -8, 2, 8, 1, 8}, {}};
  for (const Index mask : {1, 2, 4, 3})
    for (Index i = 0; i < 8; ++i) problem.x.push_back(std::popcount(static_cast<unsigned>(i & mask)) % 2 ? -1 : 1);
  Pool pool(1);
  const GroupNormObjective o = objective_of(groups_of(4, 2), 0.7, 0.5);
  const auto solved = group_norm_by_columns(problem.view(), problem.y, {}, pool)->solve(o, 1e-15);
  Index used = 0;
  for (Index g = 0; g < 2; ++g) {
    double c[4] = {}, size = 0;
    for (Index at = 0; at < 4; ++at) {
      for (Index i = 0; i < 8; ++i) c[at] += problem.x[(2 * g + at % 2) * 8 + i] * problem.y[i + (at / 2) * 8] / 8;
      size += c[at] * c[at];
    }
    const double shrink = std::max(0.0, 1 - 0.7 * std::sqrt(2.0) / std::sqrt(size)) / 1.5;
    used += shrink > 0;
    for (Index at = 0; at < 4; ++at) EXPECT_NEAR(solved.w[2 * g + at % 2 + (at / 2) * 4], shrink * c[at], 1e-15);
  }
  EXPECT_GT(used, 0);
}

TEST(BlockDescent, AtTheLargestPenaltyAllAreZeroAndBelowItOneGroupIsNot) {
  const Problem problem = random_problem(50, 120, 2, 10);
  Pool pool(1);
  for (const Case& one : cases(120)) {
    auto solver = group_norm_by_columns(problem.view(), problem.y, problem.weight, pool);
    GroupNormObjective objective = one.objective;
    const double most = solver->lambda1_max(objective);
    const auto nonzeros = [&](double lambda1) {
      objective.lambda1 = lambda1;
      const auto solved = solver->solve(objective, 1e-13);
      return std::ranges::count_if(solved.w, [](double w) { return w != 0; });
    };
    EXPECT_EQ(nonzeros(most * (1 + 1e-12)), 0) << one.name;
    EXPECT_GE(nonzeros(most * (1 - 1e-3)), 1) << one.name;
    EXPECT_EQ(nonzeros(most), 0) << one.name;
  }
}

TEST(BlockDescent, APathGivesTheAnswersOfSingleSolves) {
  const Problem problem = random_problem(50, 120, 2, 9);
  Pool pool(1);
  auto path = group_norm_by_columns(problem.view(), problem.y, problem.weight, pool);
  const double most = path->lambda1_max(objective_of(groups_of(120, 3), 1));
  for (double share = 1; share > 0.01; share *= 0.6) {
    const GroupNormObjective objective = objective_of(groups_of(120, 3), share * most);
    const auto warm = path->solve(objective, 1e-14);
    const auto cold = group_norm_by_columns(problem.view(), problem.y, problem.weight, pool)->solve(objective, 1e-14);
    for (std::size_t j = 0; j < warm.w.size(); ++j) EXPECT_NEAR(warm.w[j], cold.w[j], 1e-6) << share;
  }
}

TEST(BlockDescent, UnitsOfTheTargetMakeNoDifference) {
  const Problem problem = random_problem(40, 30, 2, 11);
  Pool pool(1);
  GroupNormObjective objective = objective_of(groups_of(30, 3), 0.1);
  objective.standardise = true;
  const auto plain = group_norm_by_columns(problem.view(), problem.y, {}, pool)->solve(objective, 1e-13);
  Problem scaled = problem;
  for (Index j = 0; j < 30; ++j)
    for (Index i = 0; i < 40; ++i) scaled.x[j * 40 + i] *= std::ldexp(1.0, static_cast<int>(j % 3 - 1) * 40);
  for (double& y : scaled.y) y *= std::ldexp(1.0, 498);
  objective.lambda1 = std::ldexp(0.1, 498);
  const auto other = group_norm_by_columns(scaled.view(), scaled.y, {}, pool)->solve(objective, 1e-13);
  for (Index at = 0; at < 60; ++at)
    EXPECT_EQ(std::ldexp(plain.w[at], 498 - static_cast<int>(at % 30 % 3 - 1) * 40), other.w[at]);
}

TEST(BlockDescent, EqualAndConstantColumnsDoNotStopIt) {
  for (const Index k : {1, 2}) {
    Problem problem = random_problem(30, 60, k, 12);
    for (Index i = 0; i < 30; ++i) {
      problem.x[5 * 30 + i] = problem.x[2 * 30 + i]; // in another group
      problem.x[1 * 30 + i] = problem.x[0 * 30 + i]; // in the same
      problem.x[6 * 30 + i] = 1e6;
      problem.x[9 * 30 + i] = problem.x[10 * 30 + i] = problem.x[11 * 30 + i] = 0; // a whole group
    }
    Pool pool(1);
    for (const double lambda : {0.5, 0.05, 1e-3}) {
      const GroupNormObjective o = objective_of(groups_of(60, 3), lambda);
      const auto solved = group_norm_by_columns(problem.view(), problem.y, problem.weight, pool)->solve(o, 1e-13);
      EXPECT_LT(distance(problem, o, solved), 1e-6) << solved.stop.text();
      for (const Index j : {6, 9, 10, 11}) EXPECT_EQ(solved.w[j], 0);
      EXPECT_NEAR(solved.w[0], solved.w[1], 1e-9); // alike within a group: the same share
    }
  }
}

TEST(BlockDescent, PowersOfOneColumnAreSolvedAlthoughTheyAreNearlyAlike) {
  Random random(4);
  Problem problem{100, 12, 1, std::vector<double>(1200), {}, std::vector<double>(100, 1.0)};
  for (Index i = 0; i < 100; ++i) {
    const double a = 1 + random.uniform(), b = 2 + random.uniform();
    for (Index d = 0; d < 6; ++d) {
      problem.x[d * 100 + i] = std::pow(a, static_cast<double>(d + 1));
      problem.x[(6 + d) * 100 + i] = std::pow(b, static_cast<double>(d + 1));
    }
    problem.y.push_back(std::sin(3 * a) + 0.1 * random.normal());
  }
  GroupNormObjective o = objective_of(groups_of(12, 6), 1e-4);
  o.standardise = true;
  const auto solved = group_norm_by_gram(gram_of(problem), 0, 1)->solve(o, 1e-12);
  EXPECT_EQ(solved.stop.text(), "the gap is within the tolerance");
  EXPECT_LT(solved.sweeps, 500);
}

TEST(BlockDescent, AWatchThatStopsItKeepsWhatThereIs) {
  const Problem problem = random_problem(60, 500, 2, 13);
  Pool pool(1);
  const auto solved = group_norm_by_columns(problem.view(), problem.y, {}, pool)
                          ->solve(objective_of(groups_of(500, 5), 1e-3), 1e-12, [](const Progress&) { return false; });
  EXPECT_TRUE(solved.interrupted);
  EXPECT_EQ(solved.stop.text(), "interrupted");
  EXPECT_EQ(solved.w.size(), 1000u);
}

} // namespace
} // namespace recta
