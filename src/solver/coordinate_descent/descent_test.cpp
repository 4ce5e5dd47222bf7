// The answers are compared with the conditions an optimum must meet, computed here in long sums from the data alone,
// and with answers known in closed form.
#include "base/random.hpp"
#include "solver/elastic_net.hpp"

#include <gmock/gmock.h>

namespace recta {
namespace {

struct Problem {
  Index n, p;
  std::vector<double> x, y, weight; // x by column
  MatrixView view() const { return MatrixView::col_major(x.data(), n, p); }
};

Problem random_problem(Index n, Index p, std::uint64_t seed) {
  Random random(seed);
  Problem made{n, p, {}, {}, {}};
  for (Index i = 0; i < n * p; ++i) made.x.push_back(random.normal() + static_cast<double>(i / n % 3));
  for (Index i = 0; i < n; ++i) {
    double y = random.normal() + 5;
    for (Index j = 0; j < std::min(p, Index{4}); ++j) y += (j % 2 ? -2 : 1.5) * made.x[j * n + i];
    made.y.push_back(y);
    made.weight.push_back(static_cast<double>(i % 4)); // zeros among them
  }
  return made;
}

// The distance of (w, b) from the conditions of an optimum, in units of the largest correlation. A gap of G allows a
// column of length L a distance of L sqrt(2 G), so the solves below ask for 1e-15 and the tests for 1e-7.
double distance(const Problem& problem, const ElasticNetObjective& o, const ElasticNetSolution& s) {
  double total = 0, mean_residual = 0;
  for (const double v : problem.weight) total += v;
  std::vector<double> r(problem.y), mean(s.w.size()), sd(s.w.size(), 1);
  for (Index j = 0; j < problem.p; ++j) {
    for (Index i = 0; i < problem.n; ++i) mean[j] += problem.weight[i] / total * problem.x[j * problem.n + i];
    double square = 0;
    for (Index i = 0; i < problem.n; ++i) {
      const double x = problem.x[j * problem.n + i] - mean[j];
      square += problem.weight[i] / total * x * x;
      r[i] -= s.w[j] * problem.x[j * problem.n + i];
    }
    if (o.standardise) sd[j] = std::sqrt(square);
  }
  for (Index i = 0; i < problem.n; ++i) mean_residual += problem.weight[i] / total * (r[i] -= s.b);
  double worst = o.intercept ? std::abs(mean_residual) : 0, scale = 0;
  for (Index j = 0; j < problem.p; ++j) {
    double g = 0;
    for (Index i = 0; i < problem.n; ++i)
      g += problem.weight[i] / total * r[i] * (problem.x[j * problem.n + i] - (o.centred() ? mean[j] : 0));
    scale = std::max(scale, std::abs(g));
    const double l1 = o.lambda1 * o.factor1(j) * sd[j], slope = g - o.lambda2 * o.factor2(j) * sd[j] * sd[j] * s.w[j];
    const double pull = s.w[j] == 0 ? std::max(std::abs(slope) - l1, 0.0) : slope - std::copysign(l1, s.w[j]);
    const bool held = (s.w[j] >= o.most(j) && slope > 0) || (s.w[j] <= o.least(j) && slope < 0);
    if (!held) worst = std::max(worst, std::abs(pull));
    EXPECT_GE(s.w[j], o.least(j));
    EXPECT_LE(s.w[j], o.most(j));
  }
  return worst / std::max(scale, 1e-300);
}

// The same numbers as compressed columns, with most of them made zero first.
struct Thinned {
  Problem problem;
  std::vector<std::int32_t> start{0}, index;
  std::vector<double> value;
  SparseView view() const {
    return {problem.n, problem.p, start.data(), index.data(), value.data(), IndexWidth::bits32, Compressed::by_column};
  }
};

Thinned thinned(Problem problem) {
  Thinned made{std::move(problem), {0}, {}, {}};
  for (Index j = 0; j < made.problem.p; ++j) {
    for (Index i = 0; i < made.problem.n; ++i) {
      double& x = made.problem.x[j * made.problem.n + i];
      if ((i * 7 + j * 3) % 5 != 0) x = 0;
      if (x != 0) made.index.push_back(static_cast<std::int32_t>(i)), made.value.push_back(x);
    }
    made.start.push_back(static_cast<std::int32_t>(made.index.size()));
  }
  return made;
}

struct Case {
  std::string name;
  ElasticNetObjective objective;
};

std::vector<Case> cases(Index p) {
  std::vector<double> factors, low, high;
  for (Index j = 0; j < p; ++j) {
    factors.push_back(j == 1 ? 0 : 0.5 + static_cast<double>(j % 3));
    low.push_back(j % 2 ? -0.25 : 0);
    high.push_back(0.75);
  }
  return {{"lasso", {.lambda1 = 0.2}},
          {"elastic net", {.lambda1 = 0.1, .lambda2 = 0.3}},
          {"through zero", {.lambda1 = 0.3, .intercept = false}},
          {"standardised", {.lambda1 = 0.2, .lambda2 = 0.01, .standardise = true}},
          {"standardised, no intercept", {.lambda1 = 0.2, .intercept = false, .standardise = true}},
          {"one column free", {.lambda1 = 0.3, .factors1 = factors}},
          {"bounds", {.lambda1 = 0.05, .lower = low, .upper = high}},
          {"bounds and squares", {.lambda1 = 0.05, .lambda2 = 0.2, .factors2 = factors, .lower = low, .upper = high}}};
}

class Shapes : public testing::TestWithParam<std::pair<Index, Index>> {};
INSTANTIATE_TEST_SUITE_P(RowsAndColumns, Shapes,
                         testing::Values(std::pair{200, 6}, std::pair{60, 40}, std::pair{40, 150}, std::pair{30, 400}));

TEST_P(Shapes, TheAnswerMeetsTheConditionsOfAnOptimum) {
  const auto [n, p] = GetParam();
  const Problem problem = random_problem(n, p, 7);
  Pool pool(2);
  Gram gram(p, 1);
  Batch batch{problem.view(), MatrixView::vector(problem.y.data(), n), problem.weight, {}, 0};
  gram.accumulate(batch);
  for (const Case& one : cases(p)) {
    const auto by_columns =
        elastic_net_by_columns(problem.view(), problem.y, problem.weight, pool)->solve(one.objective, 1e-15);
    EXPECT_LT(distance(problem, one.objective, by_columns), 1e-7) << one.name << ": " << by_columns.stop.text();
    const auto by_gram = elastic_net_by_gram(gram, 0)->solve(one.objective, 1e-15);
    EXPECT_LT(distance(problem, one.objective, by_gram), 1e-7) << one.name << ": " << by_gram.stop.text();
  }
}

TEST_P(Shapes, SparseColumnsMeetTheSameConditions) {
  const auto [n, p] = GetParam();
  const Thinned data = thinned(random_problem(n, p, 14));
  Pool pool(2);
  for (const Case& one : cases(p)) {
    const auto solved =
        elastic_net_by_columns(data.view(), data.problem.y, data.problem.weight, pool)->solve(one.objective, 1e-15);
    EXPECT_LT(distance(data.problem, one.objective, solved), 1e-7) << one.name << ": " << solved.stop.text();
  }
}

TEST_P(Shapes, RowOrderAndFloatsAreReadLikeColumnOrder) {
  const auto [n, p] = GetParam();
  Problem problem = random_problem(n, p, 8);
  std::vector<float> single(problem.x.begin(), problem.x.end());
  problem.x.assign(single.begin(), single.end());
  std::vector<double> by_row(problem.x.size());
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < p; ++j) by_row[i * p + j] = problem.x[j * n + i];
  Pool pool(2);
  const ElasticNetObjective objective{.lambda1 = 0.1};
  const auto columns = elastic_net_by_columns(problem.view(), problem.y, problem.weight, pool)->solve(objective, 1e-12);
  const auto rows = elastic_net_by_columns(MatrixView::row_major(by_row.data(), n, p), problem.y, problem.weight, pool)
                        ->solve(objective, 1e-12);
  MatrixView floats = MatrixView::col_major(nullptr, n, p);
  floats.data = single.data();
  floats.scalar = Scalar::float32;
  const auto narrow = elastic_net_by_columns(floats, problem.y, problem.weight, pool)->solve(objective, 1e-12);
  EXPECT_EQ(rows.w, columns.w);
  EXPECT_EQ(narrow.w, columns.w);
}

TEST(Descent, WithoutItsExactEndItStopsAtTheToleranceInFewerSweeps) {
  const Thinned data = thinned(random_problem(60, 40, 21));
  const Problem& problem = data.problem;
  Pool pool(2);
  const ElasticNetObjective objective{.lambda1 = 0.05};
  const auto with_end = elastic_net_by_columns(data.view(), problem.y, problem.weight, pool);
  const auto without = elastic_net_by_columns(data.view(), problem.y, problem.weight, pool);
  without->end_at_tolerance();
  const auto exact = with_end->solve(objective, 1e-4), loose = without->solve(objective, 1e-4);
  EXPECT_LT(loose.sweeps, exact.sweeps);
  EXPECT_LT(distance(problem, objective, exact), 1e-7);
  EXPECT_GT(distance(problem, objective, loose), 1e-7);
  EXPECT_EQ(loose.stop.text(), "the gap is within the tolerance");
}

TEST(Descent, APathGivesTheAnswersOfSingleSolves) {
  const Problem problem = random_problem(50, 120, 9);
  Pool pool(1);
  auto path = elastic_net_by_columns(problem.view(), problem.y, problem.weight, pool);
  const double most = path->lambda1_max({});
  for (double share = 1; share > 0.01; share *= 0.7) {
    const ElasticNetObjective objective{.lambda1 = share * most};
    const auto warm = path->solve(objective, 1e-13);
    const auto cold = elastic_net_by_columns(problem.view(), problem.y, problem.weight, pool)->solve(objective, 1e-13);
    for (std::size_t j = 0; j < warm.w.size(); ++j) EXPECT_NEAR(warm.w[j], cold.w[j], 1e-9) << share;
  }
}

TEST(Descent, AtTheLargestPenaltyAllAreZeroAndBelowItOneIsNot) {
  const Problem problem = random_problem(50, 120, 10);
  Pool pool(1);
  for (const Case& one : cases(120)) {
    auto solver = elastic_net_by_columns(problem.view(), problem.y, problem.weight, pool);
    ElasticNetObjective objective = one.objective;
    const double most = solver->lambda1_max(objective);
    const auto penalised_nonzeros = [&](double lambda1) {
      objective.lambda1 = lambda1;
      const auto w = solver->solve(objective, 1e-13).w;
      Index count = 0;
      for (Index j = 0; j < 120; ++j) count += w[j] != 0 && objective.factor1(j) > 0;
      return count;
    };
    EXPECT_EQ(penalised_nonzeros(most * (1 + 1e-12)), 0) << one.name;
    EXPECT_GE(penalised_nonzeros(most * (1 - 1e-3)), 1) << one.name;
  }
}

TEST(Descent, OrthonormalColumnsAreSoftThresholded) {
  // Columns of a Hadamard matrix: <z_i, z_j> = 0, <z_j, z_j> = 1 in the mean.
  Problem problem{8, 3, {}, {3, -1, 4, 1, -5, 9, 2, 6}, {}};
  for (const Index mask : {1, 2, 4})
    for (Index i = 0; i < 8; ++i) problem.x.push_back((i & mask) ? -1 : 1);
  Pool pool(1);
  const auto solved =
      elastic_net_by_columns(problem.view(), problem.y, {}, pool)->solve({.lambda1 = 1, .lambda2 = 1}, 1e-15);
  for (Index j = 0; j < 3; ++j) {
    double c = 0;
    for (Index i = 0; i < 8; ++i) c += problem.x[j * 8 + i] * problem.y[i] / 8;
    const double shrunk = std::copysign(std::max(std::abs(c) - 1, 0.0), c) / 2;
    EXPECT_NEAR(solved.w[j], shrunk, 1e-15);
  }
}

TEST(Descent, AColumnOfHugeNumbersDoesNotHideOneOfSmallNumbers) {
  // Orthogonal columns of the lengths 2^e and 1, n = 2: w_j = (<z_j, y> - 2 lambda1) / <z_j, z_j>.
  for (const int e : {10, 70, 200}) {
    const double huge = std::ldexp(1.0, e), lambda1 = 0x1p-10;
    const Problem problem{2, 2, {huge, 0, 0, 1}, {10, 1}, {}};
    Pool pool(1);
    const auto solved = elastic_net_by_columns(problem.view(), problem.y, {}, pool)
                            ->solve({.lambda1 = lambda1, .intercept = false}, 1e-15);
    EXPECT_NEAR(solved.w[0] * huge, 10 - 2 * lambda1 / huge, 1e-14) << e;
    EXPECT_NEAR(solved.w[1], 1 - 2 * lambda1, 1e-15) << e;
  }
}

TEST(Descent, UnitsOfColumnsAndTargetMakeNoDifference) {
  const Problem problem = random_problem(40, 30, 11);
  Pool pool(1);
  const auto plain =
      elastic_net_by_columns(problem.view(), problem.y, {}, pool)->solve({.lambda1 = 0.1, .standardise = true}, 1e-13);
  Problem scaled = problem;
  for (Index j = 0; j < 30; ++j)
    for (Index i = 0; i < 40; ++i) scaled.x[j * 40 + i] *= std::ldexp(1.0, static_cast<int>(j % 3 - 1) * 40);
  for (double& y : scaled.y) y *= std::ldexp(1.0, 498);
  const auto other = elastic_net_by_columns(scaled.view(), scaled.y, {}, pool)
                         ->solve({.lambda1 = std::ldexp(0.1, 498), .standardise = true}, 1e-13);
  for (Index j = 0; j < 30; ++j) EXPECT_EQ(std::ldexp(plain.w[j], 498 - static_cast<int>(j % 3 - 1) * 40), other.w[j]);
}

TEST(Descent, EqualAndConstantColumnsDoNotStopIt) {
  Problem problem = random_problem(30, 60, 12);
  for (Index i = 0; i < 30; ++i) {
    problem.x[5 * 30 + i] = problem.x[2 * 30 + i];
    problem.x[6 * 30 + i] = 1e6;
    problem.x[7 * 30 + i] = 0;
  }
  Pool pool(1);
  for (const double lambda : {0.5, 0.01, 1e-4}) {
    const auto solved =
        elastic_net_by_columns(problem.view(), problem.y, problem.weight, pool)->solve({.lambda1 = lambda}, 1e-12);
    EXPECT_LT(distance(problem, {.lambda1 = lambda}, solved), 1e-6) << solved.stop.text();
    EXPECT_EQ(solved.w[6], 0);
    EXPECT_EQ(solved.w[7], 0);
  }
}

TEST(Descent, AWatchThatStopsItKeepsWhatThereIs) {
  const Problem problem = random_problem(60, 500, 13);
  Pool pool(1);
  const auto solved =
      elastic_net_by_columns(problem.view(), problem.y, {}, pool)->solve({.lambda1 = 1e-3}, 1e-12, [](const Progress&) {
        return false;
      });
  EXPECT_TRUE(solved.interrupted);
  EXPECT_EQ(solved.stop.text(), "interrupted");
  EXPECT_EQ(solved.w.size(), 500u);
}

} // namespace
} // namespace recta
