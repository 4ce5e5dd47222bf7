#include "certificate/separability/certify.hpp"
#include "design/view_source.hpp"
#include "solver/perceptron/perceptron.hpp"
#include "solver/separation/separate.hpp"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace recta {
namespace {

struct Set {
  Index rows, cols;
  std::vector<double> x, y;
  std::vector<double> weight{};

  DenseSource source() const { return DenseSource(MatrixView::row_major(x.data(), rows, cols), {.weight = weight}); }
};

PerceptronProblem order(PerceptronVariant variant, bool first_mistake = false, Index record = 0) {
  PerceptronProblem problem;
  problem.variant = variant;
  problem.first_mistake = first_mistake;
  problem.record = record;
  problem.settings.rate = 1;
  problem.settings.passes = 1000;
  return problem;
}

PerceptronOutcome learned(const PerceptronProblem& problem, const Set& set) {
  DenseSource source = set.source();
  const auto held = HeldRows::hold(source);
  auto outcome = learn_perceptron(problem, **held, set.y, {});
  EXPECT_TRUE(outcome.has_value());
  return *std::move(outcome);
}

const Set kFour{4, 1, {1, 2, 3, 4}, {-1, -1, 1, 1}};

// Spec W9.
TEST(Perceptron, FourPointsTakeTheMistakesThatTheyTakeOnPaper) {
  const auto cyclic = learned(order(PerceptronVariant::batch), kFour);
  EXPECT_EQ(cyclic.mistakes, 25);
  EXPECT_EQ(cyclic.point.b, -7);
  EXPECT_EQ(cyclic.point.w, std::vector{3.0});
  EXPECT_TRUE(cyclic.clean);
  const auto first = learned(order(PerceptronVariant::batch, true), kFour);
  EXPECT_EQ(first.mistakes, 23);
  EXPECT_EQ(first.point.b, -7);
  EXPECT_EQ(first.point.w, std::vector{3.0});
  const auto rosenblatt = learned(order(PerceptronVariant::rosenblatt), kFour);
  EXPECT_EQ(rosenblatt.mistakes, 9);
  EXPECT_EQ(rosenblatt.point.b, -3);
  EXPECT_EQ(rosenblatt.point.w, std::vector{1.0}); // x = 3 lies on it
  EXPECT_TRUE(rosenblatt.clean);
}

// Starting at zero, a constant rate only multiplies the weights.
TEST(Perceptron, EveryRateMakesTheSameMistakes) {
  for (const double rate : {0.3, 0.7, 0.1, 7.0, 1e-3, 1e-200, 1e100})
    for (const auto variant : {PerceptronVariant::batch, PerceptronVariant::rosenblatt, PerceptronVariant::pocket})
      for (const bool first : {false, true}) {
        PerceptronProblem problem = order(variant, first);
        const auto at_one = learned(problem, kFour);
        problem.settings.rate = rate;
        const auto outcome = learned(problem, kFour);
        EXPECT_EQ(outcome.mistakes, at_one.mistakes) << rate;
        EXPECT_EQ(outcome.presented, at_one.presented) << rate;
        EXPECT_TRUE(outcome.clean) << rate;
        EXPECT_EQ(outcome.point.w[0], rate * at_one.point.w[0]);
        EXPECT_EQ(outcome.point.b, rate * at_one.point.b);
      }
}

// 0.1 + 0.2 - 0.3 is 5.6e-17 in doubles, which counts as zero: wrong for either class by y z <= 0, the positive class
// by z >= 0.
TEST(Perceptron, AScoreBelowRoundingIsATie) {
  for (const double sign : {1.0, -1.0})
    for (const double y : {1.0, -1.0})
      for (const auto variant : {PerceptronVariant::batch, PerceptronVariant::criterion, PerceptronVariant::pocket,
                                 PerceptronVariant::averaged, PerceptronVariant::rosenblatt}) {
        PerceptronProblem problem = order(variant);
        problem.intercept = false;
        problem.settings.start = StartKind::given;
        problem.settings.given = {sign, sign, -sign};
        problem.settings.passes = 1;
        const auto outcome = learned(problem, {1, 3, {0.1, 0.2, 0.3}, {y}});
        EXPECT_EQ(outcome.mistakes, variant == PerceptronVariant::rosenblatt && y > 0 ? 0 : 1);
      }
}

// Spec H6: 233 mistakes, more than the 145 that a free intercept would allow.
TEST(Perceptron, TwoPointsFarFromTheOriginTakeManyMistakes) {
  EXPECT_EQ(learned(order(PerceptronVariant::batch), {2, 1, {10, 12}, {-1, 1}}).mistakes, 233);
}

// Algorithms 15.12.
TEST(Perceptron, TwoPointsThroughTheOriginTakeOneMistake) {
  PerceptronProblem problem = order(PerceptronVariant::criterion);
  problem.intercept = false;
  const auto outcome = learned(problem, {2, 1, {-1, 1}, {-1, 1}});
  EXPECT_EQ(outcome.mistakes, 1);
  EXPECT_EQ(outcome.point.w, std::vector{1.0});
}

TEST(Perceptron, EveryChangeIsOnRecord) {
  const auto outcome = learned(order(PerceptronVariant::batch, false, 1), kFour);
  ASSERT_EQ(std::ssize(outcome.trace), outcome.mistakes + 1);
  Point at{{0}, 0};
  for (std::size_t k = 0; k < outcome.trace.size(); ++k) {
    const TraceStep& step = outcome.trace[k];
    const CurvePoint& seen = outcome.curve[k];
    if (step.step > 0) { // w <- w + y x of the row that is named
      const auto i = static_cast<std::size_t>(seen.row - 1);
      EXPECT_LE(kFour.y[i] * (at.w[0] * kFour.x[i] + at.b), 0);
      at.w[0] += kFour.y[i] * kFour.x[i];
      at.b += kFour.y[i];
      EXPECT_EQ((step.rows - 1) % 4, seen.row - 1);
    }
    EXPECT_EQ(step.weights, at.w);
    EXPECT_EQ(step.intercept, at.b);
    Index right = 0;
    double cost = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const double f = at.w[0] * kFour.x[i] + at.b;
      right += (f >= 0) == (kFour.y[i] > 0) ? 1 : 0;
      cost += std::max(0.0, -kFour.y[i] * f) / 4;
    }
    EXPECT_EQ(seen.correct, right);
    EXPECT_EQ(step.cost, cost);
  }
  EXPECT_EQ(outcome.curve.back().correct, 4);
}

TEST(Perceptron, TheAverageIsTheMeanOfThePointsAfterEachRow) {
  PerceptronProblem problem = order(PerceptronVariant::averaged, false, 1);
  problem.settings.passes = 3;
  problem.settings.order = RowOrder::shuffled;
  problem.settings.seed = 7;
  problem.settings.schedule = RateKind::decay;
  problem.settings.c = 5;
  const auto outcome = learned(problem, kFour);
  EXPECT_EQ(outcome.presented, 12);
  double w = 0, b = 0;
  for (Index t = 1; t <= outcome.presented; ++t) {
    const TraceStep* last = nullptr;
    for (const TraceStep& step : outcome.trace)
      if (step.rows <= t) last = &step;
    w += last->weights[0] / 12;
    b += last->intercept / 12;
  }
  EXPECT_NEAR(outcome.point.w[0], w, 1e-14);
  EXPECT_NEAR(outcome.point.b, b, 1e-14);
}

TEST(Perceptron, RatesFollowTheClockOfRowsPresented) {
  for (const RateKind kind : {RateKind::inverse, RateKind::decay}) {
    PerceptronProblem problem = order(PerceptronVariant::batch, false, 1);
    problem.settings.schedule = kind;
    problem.settings.c = 1000;
    problem.settings.steps = 10;
    const auto outcome = learned(problem, {3, 1, {1, 2, 3}, {1, -1, 1}});
    EXPECT_EQ(outcome.stop.text(), "10 changes");
    for (const TraceStep& step : outcome.trace) {
      if (step.step == 0) continue;
      const auto t = static_cast<double>(step.rows - 1); // before this row
      EXPECT_EQ(step.rate, kind == RateKind::inverse ? 1 / (t + 1) : 1000 / (1000 + t));
    }
  }
}

std::mt19937_64 random_numbers(3);

Set mixed(Index rows, Index cols, double flips) {
  std::normal_distribution<double> normal;
  Set set{rows, cols, {}, {}};
  for (Index i = 0; i < rows; ++i) {
    double f = 0.2;
    for (Index j = 0; j < cols; ++j) set.x.push_back(normal(random_numbers)), f += set.x.back();
    const bool flip = std::uniform_real_distribution<double>()(random_numbers) < flips;
    set.y.push_back((f > 0) != flip ? 1 : -1);
  }
  return set;
}

Index right(const Set& set, const Point& at) {
  Index count = 0;
  for (Index i = 0; i < set.rows; ++i) {
    double f = at.b;
    for (Index j = 0; j < set.cols; ++j)
      f += at.w[static_cast<std::size_t>(j)] * set.x[static_cast<std::size_t>(i * set.cols + j)];
    count += (f >= 0) == (set.y[static_cast<std::size_t>(i)] > 0) ? 1 : 0;
  }
  return count;
}

TEST(Perceptron, ThePocketIsNeverWorseThanTheLastPoint) {
  for (int trial = 0; trial < 50; ++trial) {
    const Set set = mixed(60, 2, 0.2);
    PerceptronProblem problem = order(PerceptronVariant::pocket, false, 1);
    problem.settings.order = RowOrder::random;
    problem.settings.seed = static_cast<std::uint64_t>(trial);
    problem.settings.passes = 20;
    const auto outcome = learned(problem, set);
    const TraceStep& last = outcome.trace.back();
    EXPECT_GE(right(set, outcome.point), right(set, {last.weights, last.intercept}));
    EXPECT_EQ(right(set, {last.weights, last.intercept}), outcome.curve.back().correct);
    EXPECT_GE(right(set, outcome.point), 36); // far better than guessing the larger class of rows
  }
}

// The theorem of spec H6, on sets of every kind and in every order: from zero, at a constant rate, mistakes <= (R B)^2.
TEST(Perceptron, MistakesNeverExceedTheBound) {
  std::mt19937_64 random(17);
  std::normal_distribution<double> normal;
  double nearest = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    Set set{static_cast<Index>(2 + random() % 20), static_cast<Index>(1 + random() % 4), {}, {}};
    std::vector<double> true_w;
    for (Index j = 0; j < set.cols; ++j) true_w.push_back(normal(random));
    const double true_b = normal(random), apart = 0.1 + 0.4 * std::abs(normal(random));
    for (Index i = 0; i < set.rows; ++i) {
      double f = true_b;
      std::vector<double> x;
      for (Index j = 0; j < set.cols; ++j)
        x.push_back(trial % 2 == 0 ? normal(random) : std::round(3 * normal(random))),
            f += x.back() * true_w[static_cast<std::size_t>(j)];
      const double y = f > 0 ? 1 : -1;
      for (Index j = 0; j < set.cols; ++j)
        x[static_cast<std::size_t>(j)] += apart * y * true_w[static_cast<std::size_t>(j)];
      set.x.insert(set.x.end(), x.begin(), x.end());
      set.y.push_back(y);
    }
    DenseSource source = set.source();
    const auto held = HeldRows::hold(source);
    Pool pool(1);
    const bool intercept = trial % 3 != 0;
    const auto found = separation::separate({(*held)->seen(), set.y, false, intercept}, pool);
    const auto proof = separation::certify(found.claim, {source, set.y, false, intercept}, {});
    if (proof->verdict != Separation::separable) continue; // through the origin some are not
    double radius = 0;
    for (Index i = 0; i < set.rows; ++i) {
      const double* x = set.x.data() + i * set.cols;
      radius = std::max(radius, std::inner_product(x, x + set.cols, x, intercept ? 1.0 : 0.0));
    }
    const double bound = radius / (proof->margin_lower * proof->margin_lower);
    for (const int how : {0, 1, 2, 3}) {
      PerceptronProblem problem = order(how == 3 ? PerceptronVariant::rosenblatt : PerceptronVariant::batch, how == 0);
      problem.intercept = intercept;
      problem.settings.order = how == 1 ? RowOrder::cyclic : RowOrder::shuffled;
      problem.settings.seed = static_cast<std::uint64_t>(trial);
      problem.settings.passes = 1'000'000;
      problem.settings.steps = static_cast<Index>(bound) + 2;
      const auto outcome = learned(problem, set);
      EXPECT_LE(static_cast<double>(outcome.mistakes), bound) << trial;
      EXPECT_TRUE(outcome.clean) << trial;
      nearest = std::max(nearest, static_cast<double>(outcome.mistakes) / bound);
    }
  }
  EXPECT_EQ(nearest, 1); // two opposite points reach it
}

TEST(Perceptron, AWholeWeightIsARowThatOften) {
  Set twice{4, 1, {1, 2, 3, 4}, {-1, -1, 1, 1}, {2, 0, 1, 3}};
  const Set rows{6, 1, {1, 1, 3, 4, 4, 4}, {-1, -1, 1, 1, 1, 1}};
  for (const bool first : {false, true}) {
    const auto a = learned(order(PerceptronVariant::batch, first), twice);
    const auto b = learned(order(PerceptronVariant::batch, first), rows);
    EXPECT_EQ(a.mistakes, b.mistakes);
    EXPECT_EQ(a.point.w, b.point.w);
    EXPECT_EQ(a.point.b, b.point.b);
  }
}

TEST(Perceptron, WhatCannotBeSeparatedEndsWithItsPasses) {
  const Set overlap{3, 1, {1, 2, 3}, {1, -1, 1}};
  for (const bool first : {false, true}) {
    const auto outcome = learned(order(PerceptronVariant::batch, first), overlap);
    EXPECT_FALSE(outcome.clean);
    EXPECT_EQ(outcome.presented, 3000);
    EXPECT_EQ(outcome.stop.text(), "1000 passes");
  }
}

TEST(Perceptron, AStoppedRunHasAPoint) {
  DenseSource source = kFour.source();
  const auto held = HeldRows::hold(source);
  const auto outcome =
      learn_perceptron(order(PerceptronVariant::batch), **held, kFour.y, [](const Progress&) { return false; });
  ASSERT_TRUE(outcome.has_value());
  EXPECT_TRUE(outcome->interrupted);
  EXPECT_EQ(outcome->point.w, std::vector{0.0});
}

} // namespace
} // namespace recta
