#include "solver/newton/proximal.hpp"
#include "solver/newton/strengths.hpp"
#include "solver/newton/test_wide_problems.hpp"
#include "solver/softmax/strengths.hpp"
#include "solver/together/parabola.hpp"
#include "solver/together/together.hpp"

#include <algorithm>

namespace recta {
namespace {

using testing::facts_of;
using testing::Labelled;

const std::vector<double> kStrengths{1, 0.3, 0.1, 1e-2, 1e-3, 1e-5};

// A parabola with curvatures of 1, 2, 3, ... times `curvature` about the point of ones, of which the sample sees half
// as much again.
class Bowl final : public together::MeanLoss {
public:
  explicit Bowl(Index size, double seen = 1.5, double curvature = 1)
      : size_(size), seen_(seen), curvature_(curvature) {}

  Result<Index> take_sample() override {
    ++samples;
    return 100;
  }
  Result<together::Curved> curved(const together::Numbers& at) override {
    together::Curved out{look({&at})->front(), together::Numbers(static_cast<std::size_t>(size_ * size_))};
    --passes;
    out.first.value *= seen_;
    for (Index u = 0; u < size_; ++u) {
      out.first.gradient[u] *= seen_;
      out.hessian[u + u * size_] = seen_ * curvature_ * static_cast<double>(u + 1);
    }
    return out;
  }
  Result<std::vector<together::Look>> look(const std::vector<const together::Numbers*>& at) override {
    ++passes;
    std::vector<together::Look> out;
    for (const together::Numbers* one : at) {
      together::Look& look = out.emplace_back(0.0, slopes(*one));
      for (Index u = 0; u < size_; ++u) look.value += look.gradient[u] * ((*one)[u] - 1) / 2;
    }
    return out;
  }
  Index passes = 0, samples = 0;

private:
  together::Numbers slopes(const together::Numbers& at) const {
    together::Numbers out;
    for (Index u = 0; u < size_; ++u) out.push_back(curvature_ * static_cast<double>(u + 1) * (at[u] - 1));
    return out;
  }
  Index size_;
  double seen_, curvature_;
};

together::Task task_of(Index size, Pool& pool) {
  return {kStrengths, together::Numbers(static_cast<std::size_t>(size), 2.0),
          {},         together::Numbers(static_cast<std::size_t>(size)),
          1e-18,      pool};
}

// h (x - 1) + 2 lambda x = 0 at x = h / (h + 2 lambda).
TEST(Together, FindsTheMinimumOfEveryParabola) {
  Pool pool(1);
  Bowl loss(6);
  const auto found = together::solve(loss, task_of(6, pool));
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), kStrengths.size());
  for (std::size_t k = 0; k < kStrengths.size(); ++k) {
    EXPECT_TRUE((*found)[k].near);
    for (Index u = 0; u < 6; ++u) {
      const auto h = static_cast<double>(u + 1);
      EXPECT_NEAR((*found)[k].at[u], h / (h + 2 * kStrengths[k]), 1e-8);
    }
  }
  EXPECT_LT(loss.passes, 20);
}

// With 4.5 lambda |x| as well: h (x - 1) + 2 lambda x + 4.5 lambda = 0, or x = 0 where h is below 4.5 lambda.
TEST(Together, FindsTheMinimumOfEveryParabolaWithAbsoluteValues) {
  Pool pool(1);
  Bowl loss(6);
  together::Task task = task_of(6, pool);
  task.absolute.assign(6, 4.5);
  const auto found = together::solve(loss, task);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), kStrengths.size());
  for (std::size_t k = 0; k < kStrengths.size(); ++k) {
    EXPECT_TRUE((*found)[k].near);
    for (Index u = 0; u < 6; ++u) {
      const auto h = static_cast<double>(u + 1);
      if (h < 4.5 * kStrengths[k])
        EXPECT_EQ((*found)[k].at[u], 0);
      else
        EXPECT_NEAR((*found)[k].at[u], (h - 4.5 * kStrengths[k]) / (h + 2 * kStrengths[k]), 1e-8);
    }
  }
}

// Ways that begin where others ended need no sample, and end at their own minima: as above, for twice the curvature.
TEST(Together, ContinuesFromTheEndsOfOtherRows) {
  Pool pool(1);
  for (const double absolute : {0.0, 4.5}) {
    together::Kept kept;
    together::Task task = task_of(6, pool);
    if (absolute > 0) task.absolute.assign(6, absolute);
    task.kept = &kept;
    Bowl before(6), loss(6, 1.5, 2);
    ASSERT_TRUE(together::solve(before, task));
    EXPECT_EQ(before.samples, 1);
    const auto found = together::solve(loss, task);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->size(), kStrengths.size());
    EXPECT_EQ(loss.samples, 0);
    for (std::size_t k = 0; k < kStrengths.size(); ++k) {
      EXPECT_TRUE((*found)[k].near);
      for (Index u = 0; u < 6; ++u) {
        const double h = 2 * static_cast<double>(u + 1);
        const double expected = std::max(0.0, h - absolute * kStrengths[k]) / (h + 2 * kStrengths[k]);
        EXPECT_NEAR((*found)[k].at[u], expected, 1e-8);
      }
    }
  }
}

TEST(Together, BeginsAfreshIfWhatIsKeptDoesNotFit) {
  Pool pool(1);
  together::Kept kept;
  together::Task of_six = task_of(6, pool), of_seven = task_of(7, pool);
  of_six.kept = of_seven.kept = &kept;
  Bowl six(6), seven(7), other(7);
  ASSERT_TRUE(together::solve(six, of_six));
  ASSERT_TRUE(together::solve(seven, of_seven));
  EXPECT_EQ(seven.samples, 1);
  of_seven.strengths.pop_back();
  ASSERT_TRUE(together::solve(other, of_seven));
  EXPECT_EQ(other.samples, 1);
}

// Steps a hundred thousand times too long end nowhere, and are no beginning.
TEST(Together, KeepsNoWayThatEndedBadly) {
  Pool pool(1);
  together::Kept kept;
  together::Task task = task_of(6, pool);
  task.kept = &kept;
  Bowl misleading(6, 1e-5), loss(6);
  ASSERT_TRUE(together::solve(misleading, task));
  ASSERT_TRUE(together::solve(loss, task));
  EXPECT_EQ(loss.samples, 1);
}

// x^2 + xy + y^2 - 4 x - 4 y + |x| + 9 |y|: y = 0 and x = 3 / 2, where the slope of the rest along y is -5/2.
TEST(Parabola, HasItsMinimumWithAbsoluteValues) {
  const std::vector<double> hessian{2, 1, 1, 2}, from{1, 1}, size{0.5, 4.5};
  const std::vector<double> slope{2 + 1 - 4, 1 + 2 - 4};
  const std::vector<double> found = together::minimum_of({hessian, from, slope, size, 2}, 1e-30);
  EXPECT_NEAR(found[0], 1.5, 1e-12);
  EXPECT_EQ(found[1], 0);
}

// A hundredth of a thousandth of the true curvature makes every step so much too long: nothing falls, and that is said.
TEST(Together, LeavesAStrengthThatMakesNoHeadwayToTheCaller) {
  Pool pool(1);
  Bowl loss(6, 1e-5);
  const auto found = together::solve(loss, task_of(6, pool));
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), kStrengths.size());
  EXPECT_FALSE(found->back().near);
}

TEST(Together, NeedsASampleWithCurvature) {
  Pool pool(1);
  Bowl loss(6, 0);
  together::Task task = task_of(6, pool);
  std::ranges::fill(task.unit, 0.0);
  const auto found = together::solve(loss, task);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->empty());
  EXPECT_EQ(loss.passes, 0);
}

Labelled logistic_rows() {
  Labelled rows = Labelled::make(6000, 10, 8);
  for (Index i = 0; i < rows.n; ++i) {
    for (Index j = 0; j < rows.p; ++j) // scales apart, one column far from zero, one constant
      rows.dense[i * rows.p + j] = rows.dense[i * rows.p + j] * (j == 3 ? 1e3 : j == 4 ? 1e-3 : 1) + (j == 5 ? 40 : 0);
    rows.dense[i * rows.p + 6] = 2;
    rows.weight.push_back(i % 7 == 0 ? 0 : 0.5 + static_cast<double>(i % 3));
    rows.offset.push_back(0.1 * static_cast<double>(i % 5));
  }
  return rows;
}

std::vector<NewtonSolution> together_at(const LossObjective& objective, RowSource& rows, int threads) {
  Pool pool(threads);
  const LossFacts facts = facts_of(objective, rows, pool);
  auto found = solve_strengths({objective, &facts, 1e-10}, kStrengths, rows, pool, {});
  EXPECT_TRUE(found) << found.error().text();
  return *std::move(found);
}

TEST(StrengthsOfLogistic, HaveTheAnswersOfSingleFitsAndTheirProof) {
  const Labelled drawn = logistic_rows();
  auto rows = drawn.dense_rows();
  Pool pool(2);
  for (const auto& [intercept, standardise] : {std::pair{true, false}, {true, true}, {false, false}}) {
    LossObjective objective{.loss = "logistic", .lambda2 = 1, .intercept = intercept, .standardise = standardise};
    const auto found = together_at(objective, rows, 2);
    ASSERT_EQ(found.size(), kStrengths.size());
    const LossFacts facts = facts_of(objective, rows, pool);
    for (std::size_t k = 0; k < kStrengths.size(); ++k) {
      objective.lambda2 = kStrengths[k];
      EXPECT_FALSE(found[k].gave_up);
      const LossClaimed claimed{.objective = objective, .facts = &facts, .w = found[k].w, .b = found[k].b};
      const auto proof = certify(claimed, nullptr, &rows, pool);
      ASSERT_TRUE(proof);
      EXPECT_EQ(proof->certificate.verdict, Verdict::proved) << kStrengths[k];
      EXPECT_EQ(found[k].w[6], intercept ? 0 : found[k].w[6]);
      const auto single = solve_by_newton({objective, &facts}, rows, pool);
      double largest = std::abs(single->b);
      for (const double w : single->w) largest = std::max(largest, std::abs(w));
      EXPECT_NEAR(found[k].b, single->b, 1e-5 * largest);
      for (std::size_t j = 0; j < single->w.size(); ++j) EXPECT_NEAR(found[k].w[j], single->w[j], 1e-5 * largest);
    }
  }
}

TEST(StrengthsOfLogistic, HaveTheSameBitsAtAnyThreadCount) {
  const Labelled drawn = logistic_rows();
  auto rows = drawn.dense_rows();
  for (const double share : {0.0, 1.0}) {
    const LossObjective objective{.loss = "logistic", .lambda1 = share, .lambda2 = 1 - share};
    const auto one = together_at(objective, rows, 1), three = together_at(objective, rows, 3);
    ASSERT_EQ(one.size(), kStrengths.size());
    ASSERT_EQ(three.size(), kStrengths.size());
    for (std::size_t k = 0; k < one.size(); ++k) {
      EXPECT_EQ(one[k].w, three[k].w);
      EXPECT_EQ(one[k].b, three[k].b);
    }
  }
}

// Absolute values, and with squares beside them: the zeros are those of single fits.
TEST(StrengthsOfLogistic, HaveTheZerosOfSingleFits) {
  const Labelled drawn = logistic_rows();
  auto rows = drawn.dense_rows();
  Pool pool(2);
  for (const double share : {1.0, 0.5}) {
    LossObjective objective{.loss = "logistic", .lambda1 = share, .lambda2 = 1 - share, .standardise = true};
    const auto found = together_at(objective, rows, 2);
    ASSERT_EQ(found.size(), kStrengths.size());
    const LossFacts facts = facts_of(objective, rows, pool);
    for (std::size_t k = 0; k < kStrengths.size(); ++k) {
      objective.lambda1 = share * kStrengths[k];
      objective.lambda2 = (1 - share) * kStrengths[k];
      EXPECT_FALSE(found[k].gave_up);
      const LossClaimed claimed{.objective = objective, .facts = &facts, .w = found[k].w, .b = found[k].b};
      const auto proof = certify(claimed, nullptr, &rows, pool);
      ASSERT_TRUE(proof);
      EXPECT_EQ(proof->certificate.verdict, Verdict::proved) << kStrengths[k];
      const auto single = solve_by_proximal_newton({objective, &facts}, rows, pool);
      for (std::size_t j = 0; j < found[k].w.size(); ++j) {
        const double unit = facts.sums.deviation(static_cast<Index>(j));
        EXPECT_NEAR(unit * found[k].w[j], unit * single->newton.w[j], 1e-5) << kStrengths[k];
        EXPECT_EQ(found[k].w[j] == 0, single->newton.w[j] == 0) << kStrengths[k] << " " << j;
      }
    }
  }
}

// The fourth rows, of which the sample is made, have labels of their own: it misleads, and no answer is taken from it
// that is not as near as the others.
TEST(StrengthsOfLogistic, SayWhenTheSampleMisled) {
  Labelled drawn = Labelled::make(6000, 10, 8);
  for (Index i = 2; i < drawn.n; i += 4) drawn.y[i] = drawn.dense[i * drawn.p] > 0 ? 1 : -1;
  auto rows = drawn.dense_rows();
  Pool pool(1);
  LossObjective objective{.loss = "logistic", .lambda2 = 1};
  const LossFacts facts = facts_of(objective, rows, pool);
  const auto found = together_at(objective, rows, 1);
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (found[k].gave_up) continue;
    objective.lambda2 = kStrengths[k];
    const auto single = solve_by_newton({objective, &facts}, rows, pool);
    for (std::size_t j = 0; j < single->w.size(); ++j) EXPECT_NEAR(found[k].w[j], single->w[j], 1e-4);
  }
}

TEST(StrengthsOfLogistic, AreNotSolvedTogetherFromFewRows) {
  const Labelled drawn = Labelled::make(300, 10, 8);
  auto rows = drawn.dense_rows();
  EXPECT_TRUE(together_at({.loss = "logistic", .lambda2 = 1}, rows, 1).empty());
}

// Rows of three classes: that of the largest of the first columns, with chance.
SoftmaxProblem softmax_rows(Labelled& rows) {
  rows = Labelled::make(6000, 6, 5);
  SoftmaxProblem problem{.classes = 3, .rows = rows.n, .start = {0, 0, 0}, .null_objective = std::log(3.0)};
  for (Index i = 0; i < rows.n; ++i) {
    const double* const x = rows.dense.data() + i * rows.p;
    rows.y[i] = i % 5 == 0 ? static_cast<double>(i % 3) : static_cast<double>(std::max_element(x, x + 3) - x);
  }
  for (Index j = 0; j < rows.p; ++j) {
    double sum = 0, square = 0;
    for (Index i = 0; i < rows.n; ++i) sum += rows.dense[i * rows.p + j];
    const double mean = sum / static_cast<double>(rows.n);
    for (Index i = 0; i < rows.n; ++i) square += std::pow(rows.dense[i * rows.p + j] - mean, 2);
    problem.mean.push_back(mean);
    problem.sd.push_back(std::sqrt(square / static_cast<double>(rows.n)));
    problem.unit.push_back(j == 1 ? 4 : 1);
  }
  return problem;
}

TEST(StrengthsOfSoftmax, HaveTheAnswersOfSingleFitsAtAnyThreadCount) {
  Labelled drawn;
  SoftmaxProblem problem = softmax_rows(drawn);
  auto rows = drawn.dense_rows();
  for (const bool intercept : {true, false}) {
    problem.intercept = intercept;
    Pool one(1), three(3);
    const auto found = solve_strengths(problem, kStrengths, rows, one, {});
    const auto again = solve_strengths(problem, kStrengths, rows, three, {});
    ASSERT_TRUE(found && again);
    ASSERT_EQ(found->size(), kStrengths.size());
    for (std::size_t k = 0; k < kStrengths.size(); ++k) {
      EXPECT_FALSE((*found)[k].gave_up);
      EXPECT_EQ((*found)[k].w, (*again)[k].w);
      EXPECT_EQ((*found)[k].b, (*again)[k].b);
      SoftmaxProblem alone = problem;
      alone.lambda2 = kStrengths[k];
      const auto single = solve_softmax(alone, rows, one);
      ASSERT_TRUE(single);
      for (std::size_t s = 0; s < single->w.size(); ++s) EXPECT_NEAR((*found)[k].w[s], single->w[s], 1e-5);
      for (std::size_t s = 0; s < single->b.size(); ++s) EXPECT_NEAR((*found)[k].b[s], single->b[s], 1e-5);
    }
  }
}

} // namespace
} // namespace recta
