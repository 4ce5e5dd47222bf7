// Machines of many columns by passes, against those of products of pairs of columns; the sums of a pass against
// differences; and the machine of held rows against an answer that is known.
#include "objective/svm/test_sides.hpp"
#include "solver/newton/test_wide_problems.hpp"
#include "solver/svm/margin_products.hpp"
#include "solver/svm/wide_by_passes.hpp"

#include <cmath>

namespace recta::svm {
namespace {

using Numbers = std::vector<double>;
using recta::testing::Labelled;

Labelled sided(Index n, Index p, Index each) {
  Labelled out = Labelled::make(n, p, each);
  for (double& y : out.y) y = y > 0 ? 1 : -1;
  return out;
}

PassesProblem problem_of(const Labelled& data, Loss loss, bool intercept, double scale) {
  PassesProblem out;
  out.loss = loss, out.intercept = intercept, out.intercept_scale = scale;
  out.centre.assign(static_cast<std::size_t>(data.p), 0.0);
  out.machines = {Sides{}};
  out.cost = [](double) { return 0.3; };
  return out;
}

// P of w and b about a centre, row by row.
double objective(const Labelled& data, const PassesProblem& problem, const Numbers& at, double cost = 0.3) {
  const RowTerms terms{problem.loss, 0};
  const std::size_t p = problem.centre.size();
  double sum = problem.intercept_scale > 0 ? std::pow(at[p] / problem.intercept_scale, 2) / 2 : 0;
  for (std::size_t j = 0; j < p; ++j) sum += at[j] * at[j] / 2;
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    double z = at[p];
    for (std::size_t j = 0; j < p; ++j) z += at[j] * (data.dense[i * p + j] - problem.centre[j]);
    sum += cost * terms.value(data.y[i], z);
  }
  return sum;
}

TEST(WideByPasses, FindsWhatProductsOfPairsOfColumnsFind) {
  const Labelled data = sided(700, 60, 8);
  auto sparse = data.sparse_rows();
  auto dense = data.dense_rows();
  Pool pool(2);
  for (const Loss loss : {Loss::hinge, Loss::squared_hinge})
    for (const auto& [intercept, scale] : {std::pair{true, 0.0}, std::pair{true, 2.0}, std::pair{false, 0.0}}) {
      PassesProblem problem = problem_of(data, loss, intercept, scale);
      const auto oracle = solve_by_passes(problem, sparse, pool, {});
      ASSERT_TRUE(oracle);
      const double least = objective(data, problem, oracle->machines[0].at), null = 0.3 * 700;
      for (const Index most : {1'000'000, 2000}) { // all rows are held, or a third of them
        problem.most_numbers = most;
        const auto ours = solve_wide_by_passes(problem, sparse, pool, {});
        ASSERT_TRUE(ours);
        EXPECT_FALSE(ours->machines[0].gave_up) << most;
        EXPECT_NEAR(objective(data, problem, ours->machines[0].at), least, 2e-10 * null) << most;
        if (loss == Loss::hinge && most == 2000) EXPECT_GT(ours->passes, 2);
      }
      problem.centre.assign(60, 0.25); // of dense rows
      problem.most_numbers = 700 * 60 / 3;
      const auto ours = solve_wide_by_passes(problem, dense, pool, {});
      ASSERT_TRUE(ours);
      EXPECT_FALSE(ours->machines[0].gave_up);
      if (scale == 0 && intercept) EXPECT_NEAR(objective(data, problem, ours->machines[0].at), least, 2e-10 * null);
    }
}

// Rows of which none may be held: the smoothed loss alone comes near, and what it claims holds.
TEST(WideByPasses, ClaimsNoMoreThanItsGapWithoutRowsInMemory) {
  const Labelled data = sided(300, 40, 6);
  auto rows = data.sparse_rows();
  Pool pool(1);
  PassesProblem problem = problem_of(data, Loss::hinge, true, 0);
  const auto oracle = solve_by_passes(problem, rows, pool, {});
  problem.most_numbers = 0;
  const auto ours = solve_wide_by_passes(problem, rows, pool, {});
  ASSERT_TRUE(oracle && ours);
  const double least = objective(data, problem, oracle->machines[0].at);
  EXPECT_LE(objective(data, problem, ours->machines[0].at), least * (ours->machines[0].gave_up ? 1.01 : 1 + 1e-9));
}

// Rows of length one.
Labelled of_length_one(Labelled data) {
  const auto p = static_cast<std::size_t>(data.p);
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    double square = 0;
    for (std::size_t j = 0; j < p; ++j) square += std::pow(data.dense[i * p + j], 2);
    for (std::size_t j = 0; j < p; ++j) data.dense[i * p + j] /= std::sqrt(square);
  }
  data.compress();
  return data;
}

// Few rows per column, many of them on the wrong side, and a large C: the machine of the held rows, which are all, is
// solved so exactly that the second pass is the proof. It takes a third one if conjugate gradients end by the energy.
TEST(WideByPasses, HardRowsThatAreHeldTakeTwoPasses) {
  Pool pool(1);
  for (const auto& [n, p, each, cost] : {std::tuple{2000, 500, 20, 10.0}, std::tuple{3000, 600, 10, 100.0}}) {
    const Labelled data = of_length_one(sided(n, p, each));
    auto rows = data.sparse_rows();
    PassesProblem problem = problem_of(data, Loss::hinge, true, 0);
    problem.cost = [cost](double) { return cost; };
    const auto ours = solve_wide_by_passes(problem, rows, pool, {});
    problem.most_numbers = static_cast<Index>(0.8 * static_cast<double>(data.value.size()));
    const auto oracle = solve_wide_by_passes(problem, rows, pool, {}); // by steps over all rows
    ASSERT_TRUE(ours && oracle);
    EXPECT_GT(oracle->passes, 20) << cost;
    EXPECT_FALSE(ours->machines[0].gave_up) << cost;
    EXPECT_EQ(ours->passes, 2) << cost;
    const double least = objective(data, problem, oracle->machines[0].at, cost);
    EXPECT_NEAR(objective(data, problem, ours->machines[0].at, cost), least, 2e-10 * cost * n);
  }
}

struct TwoColumns : testing::SidedRows {
  TwoColumns() {
    std::mt19937 random(2);
    std::normal_distribution<double> normal;
    for (Index i = 0; i < 400; ++i) {
      const double a = normal(random), b = normal(random);
      add(a, b, a + normal(random) > 0 ? 1 : -1, 1 + static_cast<double>(i % 2));
    }
  }
};

ProductSums sums_at(const TwoColumns& rows, Loss loss, Numbers at, Numbers along = {}, double band = 0,
                    Index most = 1000) {
  auto question = std::make_shared<ProductQuestion>();
  question->loss = loss, question->centre = {0.1, -0.2}, question->most_held = most;
  question->points.push_back({.sides = {}, .at = std::move(at), .along = std::move(along), .width = 0.7, .band = band});
  MarginProducts first(question), second(question);
  first.accumulate(rows.batch(0, 150)), second.accumulate(rows.batch(150, 400));
  const auto sent = MarginProducts::from_bytes(second.to_bytes());
  EXPECT_TRUE(sent);
  EXPECT_FALSE(MarginProducts::from_bytes(second.to_bytes().substr(0, 60)));
  first.merge(*sent);
  return first.machines[0];
}

TEST(MarginProducts, AreTheSlopeAndItsChange) {
  const TwoColumns rows;
  const Numbers point{0.83, 0.21, 0.05}, along{0.4, -1.1, 0.3};
  constexpr double kStep = 1e-6;
  const auto moved = [&](double by) {
    Numbers out = point;
    for (std::size_t j = 0; j < out.size(); ++j) out[j] += by * along[j];
    return out;
  };
  for (const Loss loss : {Loss::hinge, Loss::squared_hinge}) {
    const ProductSums here = sums_at(rows, loss, point), product = sums_at(rows, loss, point, along);
    const ProductSums up = sums_at(rows, loss, moved(kStep)), down = sums_at(rows, loss, moved(-kStep));
    double slope = 0;
    for (std::size_t j = 0; j < point.size(); ++j) {
      slope -= (here.pull[0][j] + here.pull[1][j]) * along[j];
      const double change = up.pull[0][j] + up.pull[1][j] - down.pull[0][j] - down.pull[1][j];
      const double curved = product.product[j] / (loss == Loss::hinge ? 0.7 : 1);
      EXPECT_NEAR(-change / (2 * kStep), curved, 1e-5 * (1 + std::abs(curved)));
    }
    EXPECT_NEAR((up.smooth - down.smooth) / (2 * kStep), slope, 1e-5 * std::abs(slope));
  }
}

TEST(MarginProducts, HoldTheRowsOfTheBandUnlessThereAreTooMany) {
  const TwoColumns rows;
  const Numbers point{0.83, 0.21, 0.05};
  const ProductSums here = sums_at(rows, Loss::hinge, point, {}, 0.5);
  Index expected = 0;
  for (std::size_t i = 0; i < rows.y.size(); ++i) {
    const double u = rows.x[2 * i] - 0.1, v = rows.x[2 * i + 1] + 0.2;
    if (std::abs(1 - rows.y[i] * (0.83 * u + 0.21 * v + 0.05)) > 0.5) continue;
    ASSERT_LT(expected, here.held.rows());
    EXPECT_EQ(here.held.side[static_cast<std::size_t>(expected)], rows.y[i]);
    EXPECT_EQ(here.held.weight[static_cast<std::size_t>(expected)], rows.v[i]);
    EXPECT_EQ(here.held.value[static_cast<std::size_t>(2 * expected)], u);
    EXPECT_EQ(here.held.value[static_cast<std::size_t>(2 * expected + 1)], v);
    ++expected;
  }
  EXPECT_EQ(here.held.rows(), expected);
  EXPECT_GT(expected, 20);
  const ProductSums few = sums_at(rows, Loss::hinge, point, {}, 0.5, 2 * expected - 1);
  EXPECT_TRUE(few.too_many);
  EXPECT_EQ(few.held.rows(), 0);
}

// 1 and 2 against 3 and 4: the widest margin lies between 2 and 3, f(x) = 2 x - 5.
TEST(MarginRows, OfOneTwoAgainstThreeFourHaveTheWeightTwo) {
  MarginRows rows;
  for (const double x : {1.0, 2.0, 3.0, 4.0}) {
    rows.column.push_back(0), rows.value.push_back(x), rows.start.push_back(std::ssize(rows.value));
    rows.side.push_back(x < 2.5 ? -1 : 1), rows.weight.push_back(1);
  }
  const MarginObjective objective{{1, 0}, 10};
  const MarginRowsProblem problem{.rows = rows, .objective = objective, .q = {0, 0}, .width = 1e-9};
  const auto found = solve_margin_rows(problem, {0, 0}, {2, 1}, 1e-12);
  EXPECT_NEAR(found[0], 2, 1e-7);
  EXPECT_NEAR(found[1], -5, 1e-7);
}

} // namespace
} // namespace recta::svm
