// The proof of machines: exact on small ones, and against what was changed.
#include "certificate/svm/certify.hpp"
#include "design/array_source.hpp"
#include "solver/svm/smo.hpp"

#include <gtest/gtest.h>
#include <random>

namespace recta::svm {
namespace {

struct Table {
  Index cols;
  std::vector<double> x, t, weight;
  Result<Proof> judged(const Claimed& claimed, int threads = 1) const {
    const Index rows = std::ssize(t);
    Arrays arrays{.dense = MatrixView::row_major(x.data(), rows, cols), .y = MatrixView::vector(t.data(), rows)};
    const auto source = array_source(arrays, {.target = arrays.y});
    Pool pool(threads);
    return certify(claimed, {*source, t, weight}, pool, {});
  }
};

Table line() {
  return {1, {-3, -1, 1, 2, 5, 9}, {-1, -1, 1, 1, 1, 1}, std::vector<double>(6, 1)};
}

Claimed exact_line() {
  return {.terms = {Loss::hinge, 0}, .cost = 10, .rows = {1, 2}, .beta = {-0.5, 0.5}, .b = 0, .w = {1}};
}

TEST(MachineProof, OfAnExactAnswerHasNoGap) {
  const auto proof = line().judged(exact_line());
  ASSERT_TRUE(proof);
  EXPECT_LT(proof->gap, 1e-15);
  EXPECT_LT(proof->slack, 1e-13);
  EXPECT_EQ(proof->primal, 0.5);
  EXPECT_EQ(proof->squared, 1);
  EXPECT_EQ(proof->null, 40); // two rows of the smaller class at distance 2
}

TEST(MachineProof, SeesAnotherWeightAndAnotherIntercept) {
  Claimed moved = exact_line();
  moved.w[0] = 1.5; // 1/2 (3/2)^2 against 1/2: the true distance is 0.625
  EXPECT_GE(line().judged(moved)->gap, 0.625);
  moved = exact_line();
  moved.b = 0.25; // row 2 lacks 1/4, at a cost of 10
  EXPECT_GE(line().judged(moved)->gap, 2.5 - 1e-12);
}

TEST(MachineProof, ACoefficientOutsideItsBoxProvesNothing) {
  Claimed outside = exact_line();
  outside.cost = 0.25;
  EXPECT_EQ(line().judged(outside)->gap, kInfinity);
}

TEST(MachineProof, AScoreThatIsNoNumberProvesNothing) {
  Claimed huge = exact_line();
  huge.w = {kInfinity};
  huge.b = -kInfinity;
  EXPECT_EQ(line().judged(huge)->gap, kInfinity);
  Table far = line();
  for (double& x : far.x) x *= 1e200; // |x|^2 and <x, z> are infinite, and their difference is no number
  const auto kernel = kernel::make_kernel({"polynomial", 1});
  kernel::Points support{1};
  support.add(far.x.data() + 1), support.add(far.x.data() + 2);
  const Claimed claimed{.terms = {Loss::hinge, 0},
                        .cost = 10,
                        .rows = {1, 2},
                        .beta = {-0.5, 0.5},
                        .kernel = kernel.get(),
                        .points = &support};
  const auto proof = far.judged(claimed);
  EXPECT_EQ(proof->gap, kInfinity);
  EXPECT_EQ(proof->primal, kInfinity);
}

TEST(MachineProof, CoefficientsThatDoNotCancelCostWhatTheyOwe) {
  Claimed uneven = exact_line();
  uneven.beta = {-0.5, 0.6};
  const auto proof = line().judged(uneven);
  EXPECT_GT(proof->gap, 0.001);
}

// A Gaussian machine of random rows, some of which have weight 0.
struct RandomMachine {
  static constexpr double kGamma = 0.7;
  Table table{2, {}, {}, {}};
  std::unique_ptr<const kernel::Kernel> kernel = kernel::make_kernel({"rbf", kGamma});
  kernel::Points support{2};
  Claimed claimed;

  explicit RandomMachine(Index rows) {
    std::mt19937_64 engine(5);
    std::normal_distribution<double> normal;
    Problem problem{{Loss::hinge, 0}, true, {}, {}};
    kernel::Points all(2);
    std::vector<Index> numbers;
    for (Index i = 0; i < rows; ++i) {
      table.x.push_back(normal(engine)), table.x.push_back(normal(engine));
      table.t.push_back(table.x.back() * table.x[table.x.size() - 2] + 0.3 * normal(engine) > 0 ? 1 : -1);
      table.weight.push_back(static_cast<double>(engine() % 3));
      if (!(table.weight.back() > 0)) continue;
      problem.target.push_back(table.t.back()), problem.cost.push_back(2 * table.weight.back());
      all.add(table.x.data() + 2 * i);
      numbers.push_back(i);
    }
    Pool pool(1);
    const Solution s = solve_by_smo(problem, *kernel, all, {.tolerance = 1e-12}, pool);
    claimed = {.terms = problem.terms, .cost = 2, .b = s.intercept(), .kernel = kernel.get(), .points = &support};
    for (std::size_t k = 0; k < numbers.size(); ++k)
      if (s.state.beta[k] != 0) {
        claimed.rows.push_back(numbers[k]), claimed.beta.push_back(s.state.beta[k]);
        support.add(table.x.data() + 2 * numbers[k]);
      }
  }
  double score(Index i) const { // by plain sums
    const double* const x = table.x.data() + 2 * i;
    double z = claimed.b;
    for (std::size_t k = 0; k < claimed.rows.size(); ++k) {
      const double* const other = table.x.data() + 2 * claimed.rows[k];
      const double across = x[0] - other[0], along = x[1] - other[1];
      z += claimed.beta[k] * std::exp(-kGamma * (across * across + along * along));
    }
    return z;
  }
};

TEST(MachineProof, OfARandomKernelMachineBoundsEveryOtherAnswer) {
  RandomMachine machine(60);
  const auto& [table, kernel, support, claimed] = machine;
  const auto proof = table.judged(claimed);
  ASSERT_TRUE(proof);
  EXPECT_TRUE(proof->same_rows);
  EXPECT_LT(proof->gap + proof->slack, 1e-10);
  // D = t'beta - 1/2 |w|^2, from plain sums.
  double dual = -proof->squared / 2;
  for (std::size_t k = 0; k < claimed.rows.size(); ++k) dual += claimed.beta[k] * table.t[at(claimed.rows[k])];
  EXPECT_NEAR(dual, proof->primal, 1e-10);
  machine.claimed.rows[0] = claimed.rows[0] == 0 ? 1 : 0;
  std::ranges::sort(machine.claimed.rows);
  EXPECT_FALSE(table.judged(claimed)->same_rows);
}

TEST(MachineProof, HasTheSameNumbersAtAnyNumberOfThreadsAndCountsTheRowsToldRight) {
  constexpr Index kRows = 300; // several tiles
  const RandomMachine machine(kRows);
  const auto proof = machine.table.judged(machine.claimed), by_three = machine.table.judged(machine.claimed, 3);
  ASSERT_TRUE(proof && by_three);
  double right = 0;
  for (Index i = 0; i < kRows; ++i)
    right += (machine.score(i) >= 0) == (machine.table.t[at(i)] > 0) ? machine.table.weight[at(i)] : 0;
  EXPECT_EQ(proof->right, right);
  EXPECT_EQ(by_three->right, right);
  EXPECT_EQ(by_three->gap, proof->gap);
  EXPECT_EQ(by_three->slack, proof->slack);
  EXPECT_EQ(by_three->primal, proof->primal);
}

// More blocks of rows than are read at once.
TEST(MachineProof, OfALinearMachineHasTheSameNumbersAtAnyNumberOfThreads) {
  constexpr Index kRows = 80'000;
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal;
  Table table{3, {}, {}, {}};
  Claimed claimed{.terms = {Loss::squared_hinge, 0}, .cost = 0.5, .b = 0.1, .w = {0.4, -0.2, 0.1}};
  double loss = 0, right = 0;
  for (Index i = 0; i < kRows; ++i) {
    double z = claimed.b;
    for (std::size_t j = 0; j < 3; ++j) table.x.push_back(normal(engine)), z += claimed.w[j] * table.x.back();
    table.t.push_back(z + normal(engine) > 0 ? 1 : -1);
    table.weight.push_back(static_cast<double>(engine() % 3));
    const double lack = std::max(0.0, 1 - table.t.back() * z);
    if (!(table.weight.back() > 0)) continue;
    loss += 0.5 * table.weight.back() * lack * lack / 2;
    right += (z >= 0) == (table.t.back() > 0) ? table.weight.back() : 0;
    if (lack > 0) claimed.rows.push_back(i), claimed.beta.push_back(0.5 * table.weight.back() * lack * table.t.back());
  }
  const auto proof = table.judged(claimed), by_three = table.judged(claimed, 3);
  ASSERT_TRUE(proof && by_three);
  EXPECT_TRUE(proof->same_rows);
  EXPECT_EQ(proof->right, right);
  EXPECT_NEAR(proof->primal, loss + proof->squared / 2, 1e-9 * loss);
  EXPECT_EQ(by_three->gap, proof->gap);
  EXPECT_EQ(by_three->slack, proof->slack);
  EXPECT_EQ(by_three->primal, proof->primal);
  EXPECT_EQ(by_three->longest, proof->longest);
}

TEST(MachineProof, OfSeveralInterceptsIsThatOfEach) {
  const RandomMachine machine(300);
  const Table& table = machine.table;
  const Index rows = std::ssize(table.t);
  const Arrays arrays{.dense = MatrixView::row_major(table.x.data(), rows, 2),
                      .y = MatrixView::vector(table.t.data(), rows)};
  const auto source = array_source(arrays, {.target = arrays.y});
  Pool pool(2);
  for (const bool linear : {false, true}) {
    Claimed claimed = machine.claimed;
    if (linear) claimed.w = {0.3, -0.2};
    const std::vector<double> intercepts{claimed.b, claimed.b - 0.1, claimed.b + 0.3};
    const auto proofs = certify(claimed, intercepts, {*source, table.t, table.weight}, pool, {});
    ASSERT_TRUE(proofs);
    ASSERT_EQ(proofs->size(), 3);
    for (std::size_t k = 0; k < 3; ++k) {
      claimed.b = intercepts[k];
      const auto one = table.judged(claimed);
      EXPECT_TRUE((*proofs)[k].same_rows);
      EXPECT_EQ((*proofs)[k].gap, one->gap);
      EXPECT_EQ((*proofs)[k].slack, one->slack);
      EXPECT_EQ((*proofs)[k].primal, one->primal);
      EXPECT_EQ((*proofs)[k].right, one->right);
    }
  }
}

// Any coefficients inside their boxes are a witness. Half of the rows have one, more than two blocks of an expansion,
// and most of the others are far on their side.
struct WideMachine {
  static constexpr Index kRows = 2500, kCols = 140;
  static constexpr double kGamma = 0.002, kCost = 0.02;
  Table table{kCols, {}, {}, {}};
  std::unique_ptr<const kernel::Kernel> kernel = kernel::make_kernel({"rbf", kGamma});
  kernel::Points support{kCols};
  Claimed claimed{.terms = {Loss::hinge, 0}, .cost = kCost, .b = 0.1, .kernel = kernel.get(), .points = &support};

  WideMachine() {
    std::mt19937_64 engine(11);
    std::normal_distribution<double> normal;
    for (Index i = 0; i < kRows; ++i) {
      const double t = i % 4 < 2 ? 1 : -1, side = i % 10 == 9 ? 0 : t; // every tenth is on the border
      for (Index j = 0; j < kCols; ++j) table.x.push_back((j < 20 ? 1.5 * side : 0) + normal(engine));
      table.t.push_back(t), table.weight.push_back(i % 7 == 6 ? 0 : 1);
      if (i % 2 != 0 || i % 7 == 6) continue;
      claimed.rows.push_back(i), claimed.beta.push_back(t * kCost * (i % 3 == 0 ? 1.0 : 0.5));
      support.add(table.x.data() + i * kCols);
    }
  }
  double score(Index i) const { // by plain sums
    double z = claimed.b;
    for (std::size_t k = 0; k < claimed.rows.size(); ++k) {
      double apart = 0;
      for (Index j = 0; j < kCols; ++j) {
        const double across = table.x[at(i * kCols + j)] - table.x[at(claimed.rows[k] * kCols + j)];
        apart += across * across;
      }
      z += claimed.beta[k] * std::exp(-kGamma * apart);
    }
    return z;
  }
};

TEST(MachineProof, OfManySupportVectorsAndManyColumnsHasTheSumsOfPlainLoops) {
  WideMachine machine;
  const auto& [table, kernel, support, claimed] = machine;
  ASSERT_GT(std::ssize(claimed.rows), 1000);
  const auto proof = table.judged(claimed), by_three = table.judged(claimed, 3);
  ASSERT_TRUE(proof && by_three);
  double loss = 0, misfit = 0, squared = 0, right = 0, rows = 0;
  std::vector<Index> clear;
  for (Index i = 0; i < WideMachine::kRows; ++i) {
    if (!(table.weight[at(i)] > 0)) continue;
    const double z = machine.score(i), t = table.t[at(i)], cost = claimed.cost;
    const auto place = std::ranges::lower_bound(claimed.rows, i);
    const double beta = place != claimed.rows.end() && *place == i ? claimed.beta[at(place - claimed.rows.begin())] : 0;
    loss += cost * std::max(0.0, 1 - t * z);
    misfit += cost * claimed.terms.fenchel_young(t, z, beta / cost);
    squared += beta * (z - claimed.b);
    right += (z >= 0) == (t > 0) ? 1 : 0, rows += 1;
    if (t * z > 1e-9) clear.push_back(i);
  }
  EXPECT_TRUE(proof->same_rows);
  EXPECT_NEAR(proof->squared, squared, 1e-10 * squared);
  EXPECT_NEAR(proof->primal, loss + squared / 2, 1e-10 * proof->primal);
  EXPECT_GT(proof->gap, misfit * (1 - 1e-10));
  EXPECT_EQ(proof->weight, rows);
  EXPECT_EQ(proof->right, right);
  EXPECT_LT(right, rows);
  EXPECT_EQ(proof->clear, clear);
  EXPECT_EQ(by_three->gap, proof->gap);
  EXPECT_EQ(by_three->slack, proof->slack);
  EXPECT_EQ(by_three->primal, proof->primal);
  EXPECT_EQ(by_three->clear, proof->clear);

  machine.support = kernel::Points(WideMachine::kCols); // the same but for one number
  for (std::size_t k = 0; k < claimed.rows.size(); ++k) {
    std::vector<double> x(table.x.begin() + claimed.rows[k] * WideMachine::kCols,
                          table.x.begin() + (claimed.rows[k] + 1) * WideMachine::kCols);
    if (k == 700) x[3] += 1e-9;
    machine.support.add(x.data());
  }
  EXPECT_FALSE(table.judged(claimed)->same_rows);
}

// A row far inside with one intercept may be beyond the margin with another.
TEST(MachineProof, OfSeveralInterceptsIsThatOfEachWhereRowsAreFarInside) {
  const WideMachine machine;
  const Table& table = machine.table;
  const Arrays arrays{.dense = MatrixView::row_major(table.x.data(), WideMachine::kRows, WideMachine::kCols),
                      .y = MatrixView::vector(table.t.data(), WideMachine::kRows)};
  const auto source = array_source(arrays, {.target = arrays.y});
  Pool pool(2);
  Claimed claimed = machine.claimed;
  const std::vector<double> intercepts{claimed.b, claimed.b - 1, claimed.b + 3};
  const auto proofs = certify(claimed, intercepts, {*source, table.t, table.weight}, pool, {});
  ASSERT_TRUE(proofs);
  for (std::size_t k = 0; k < 3; ++k) {
    claimed.b = intercepts[k];
    const auto one = table.judged(claimed);
    EXPECT_EQ((*proofs)[k].gap, one->gap);
    EXPECT_GE((*proofs)[k].slack, one->slack); // rows that are known to cost nothing have none
    EXPECT_LT((*proofs)[k].slack, 1e-10);
    EXPECT_EQ((*proofs)[k].primal, one->primal);
    EXPECT_EQ((*proofs)[k].right, one->right);
    EXPECT_EQ((*proofs)[k].clear, one->clear);
  }
}

// |w| + C / 2 sum of squares over the rows 1 and 3, C = 1 (of half squares): w = 1/2, b = -1, beta = -+1/2.
TEST(MachineProof, OfAbsoluteValuesHasNoGapAtTheOptimumAndOneElsewhere) {
  const Table two{1, {1, 3}, {-1, 1}, {1, 1}};
  Claimed exact{.terms = {Loss::squared_hinge, 0}, .cost = 1, .rows = {0, 1}, .beta = {-0.5, 0.5}, .b = -1, .w = {0.5}};
  exact.penalty = Penalty::absolutes;
  EXPECT_LT(two.judged(exact)->gap, 1e-14);
  EXPECT_EQ(two.judged(exact)->primal, 0.75);
  Claimed moved = exact;
  moved.w = {0.75}; // 3/4 + (1/4)^2 + ... with the b that is best for it: 1/16 above
  moved.b = -1.5;
  EXPECT_GE(two.judged(moved)->gap, 0.0625 - 1e-15);
  moved = exact;
  moved.beta = {-0.75, 0.75}; // beyond |g| <= 1
  EXPECT_GT(two.judged(moved)->gap, 0.01);
  moved = exact;
  moved.beta = {-0.25, 0.25};
  EXPECT_GT(two.judged(moved)->gap, 0.01);
}

} // namespace
} // namespace recta::svm
