// The lazy inner loops are compared with the same steps written out over all coordinates.
#include "solver/gradient_descent/descent_loss.hpp"
#include "solver/gradient_descent/visits.hpp"
#include "solver/test_problems.hpp"

namespace recta {
namespace {

using namespace testing;

struct Case {
  Rows rows = random_rows(60, 23);
  std::unique_ptr<HeldRows> held;
  std::vector<double> y;
  std::vector<Index> visits;

  explicit Case(bool sparse) {
    std::uint64_t seed = 3;
    for (double& x : rows.x) x = draw(seed) > 4 ? x / 8 : 0;
    rows.sparse = sparse;
    held = std::move(HeldRows::hold(rows).value());
    y = held->target(0);
    Visits all = Visits::plan(60, {}).value();
    for (Index pass = 0; pass < 5; ++pass) {
      const auto some = all.pass(RowOrder::shuffled, 1, pass);
      visits.insert(visits.end(), some.begin(), some.end());
    }
  }
  Outcomes outcomes() const { return {y.data(), nullptr, nullptr}; }
};

struct Written {
  Point point, sum;
  Index averaged = 0;
};

// The definition, coordinate by coordinate: lambda1 takes the amount it is owed at every step, down to zero at most,
// and lambda2 shrinks the amount owed as it shrinks the weights.
Written written_out(const Case& c, const LearnerSettings& s, Index batch) {
  Written out{{std::vector<double>(23), 0}, {std::vector<double>(23), 0}, 0};
  std::vector<double> up(23), down(23); // still to be taken from a weight below zero, and above
  Index t = 0;
  for (std::size_t k = 0; k < c.visits.size(); k += static_cast<std::size_t>(batch)) {
    const std::size_t count = std::min(static_cast<std::size_t>(batch), c.visits.size() - k);
    Point g{std::vector<double>(23), 0};
    for (std::size_t q = 0; q < count; ++q) {
      const Index i = c.visits[k + q];
      double z = out.point.b;
      for (Index j = 0; j < 23; ++j) z += c.rows.x[i * 23 + j] * out.point.w[j];
      for (Index j = 0; j < 23; ++j) g.w[j] += (z - c.y[i]) * c.rows.x[i * 23 + j] / static_cast<double>(count);
      g.b += (z - c.y[i]) / static_cast<double>(count);
    }
    const double eta = s.schedule.at(t);
    const double shrunk = 1 - eta * s.lambda2;
    for (Index j = 0; j < 23; ++j) {
      double& w = out.point.w[j];
      w = w * shrunk - eta * g.w[j];
      up[j] = up[j] * shrunk + eta * s.lambda1;
      down[j] = down[j] * shrunk + eta * s.lambda1;
      const double by = w > 0 ? -std::min(w, down[j]) : std::min(-w, up[j]);
      w += by;
      down[j] += by;
      up[j] -= by;
    }
    if (s.intercept) out.point.b -= eta * g.b;
    if (t >= s.average_from) {
      out.sum.add(1, out.point);
      ++out.averaged;
    }
    t += static_cast<Index>(count);
  }
  return out;
}

void expect_near(const Point& found, const Point& sought, double scale = 1) {
  for (std::size_t j = 0; j < found.w.size(); ++j) EXPECT_NEAR(found.w[j], scale * sought.w[j], 1e-11) << j;
  EXPECT_NEAR(found.b, scale * sought.b, 1e-11);
}

TEST(RowLearner, LazyShrinkingThresholdsAndMeansAreThoseOfEveryStepWrittenOut) {
  for (const bool sparse : {false, true})
    for (const Index batch : {1, 7})
      for (const double lambda1 : {0.0, 0.05})
        for (const double lambda2 : {0.0, 0.3, 19.0}) { // 19: the scale falls by 0.05 per step and is folded often
          const Case c(sparse);
          LearnerSettings s{.schedule = {RateKind::decay, 0.05, 500, 1},
                            .lambda1 = lambda1,
                            .lambda2 = lambda2,
                            .intercept = true,
                            .batch = batch,
                            .average_from = 60};
          const Written sought = written_out(c, s, batch);
          const DescentLoss loss = descent_loss("squared").value();
          RowLearner plain({std::vector<double>(23), 0}, s);
          ASSERT_TRUE(loss.present(plain, c.held->seen(), c.outcomes(), c.visits));
          expect_near(plain.point(), sought.point);
          s.average = true;
          RowLearner averaging({std::vector<double>(23), 0}, s);
          ASSERT_TRUE(loss.present(averaging, c.held->seen(), c.outcomes(), c.visits));
          expect_near(averaging.average(), sought.sum, 1 / static_cast<double>(sought.averaged));
          expect_near(averaging.point(), sought.point);
        }
}

// One column tells the classes apart and 22 are noise: the weights of these end at zero exactly, not near it.
TEST(RowLearner, NoiseOfSingleRowsLiftsNoWeightFromZero) {
  Case c(false);
  for (Index i = 0; i < 60; ++i) c.y[i] = 3 * c.rows.x[i * 23];
  const DescentLoss loss = descent_loss("squared").value();
  RowLearner learner({std::vector<double>(23), 0},
                     {.schedule = {RateKind::constant, 0.02, 1, 1}, .lambda1 = 0.1, .intercept = false});
  for (int round = 0; round < 20; ++round) ASSERT_TRUE(loss.present(learner, c.held->seen(), c.outcomes(), c.visits));
  const Point& point = learner.point();
  EXPECT_GT(point.w[0], 1);
  EXPECT_EQ(std::count(point.w.begin() + 1, point.w.end(), 0.0), 22);
}

TEST(RowLearner, GoesOnFromWhereItWasAsIfItHadNotStopped) {
  const Case c(true);
  LearnerSettings s{.schedule = {RateKind::inverse, 0.2, 1, 0.5}, .lambda2 = 0.1, .average = true, .average_from = 10};
  const DescentLoss loss = descent_loss("squared").value();
  RowLearner whole({std::vector<double>(23), 0}, s), first({std::vector<double>(23), 0}, s);
  loss.present(whole, c.held->seen(), c.outcomes(), c.visits);
  const std::span<const Index> visits(c.visits);
  loss.present(first, c.held->seen(), c.outcomes(), visits.first(100));
  const Point mean = first.average();
  RowLearner second(first.point(), s);
  second.resume(first.presented(), first.averaged(), mean);
  loss.present(second, c.held->seen(), c.outcomes(), visits.subspan(100));
  expect_near(second.average(), whole.average());
  expect_near(second.point(), whole.point());
}

TEST(VarianceReduced, LazyDriftIsThatOfEveryStepWrittenOut) {
  for (const bool sparse : {false, true})
    for (const bool rewrite : {false, true}) {
      const Case c(sparse);
      const DescentLoss loss = descent_loss("squared").value();
      const double rate = 0.01, lambda2 = 0.5, n = 60;
      Visits all = Visits::plan(60, {}).value();
      Point w{std::vector<double>(23, 0.25), -1};
      std::vector<double> slopes(60);
      Point drift = loss.slopes(c.held->seen(), c.outcomes(), all.all(), w, slopes);
      VarianceReduced steps(w, {rate, lambda2, true, rewrite, n});
      steps.write_down(slopes, drift);
      ASSERT_TRUE(loss.present_corrected(steps, c.held->seen(), c.outcomes(), c.visits));
      for (const Index i : c.visits) {
        double z = w.b;
        for (Index j = 0; j < 23; ++j) z += c.rows.x[i * 23 + j] * w.w[j];
        const double change = z - c.y[i] - slopes[i];
        for (Index j = 0; j < 23; ++j) {
          w.w[j] = w.w[j] * (1 - rate * lambda2) - rate * (change * c.rows.x[i * 23 + j] + drift.w[j]);
          if (rewrite) drift.w[j] += change * c.rows.x[i * 23 + j] / n;
        }
        w.b -= rate * (change + drift.b);
        if (rewrite) drift.b += change / n;
        if (rewrite) slopes[i] += change;
      }
      expect_near(steps.point(), w);
    }
}

TEST(Visits, OrdersAreFunctionsOfSeedAndPassAlone) {
  Visits a = Visits::plan(100, {}).value(), b = a;
  b.pass(RowOrder::random, 9, 4);
  const auto first = a.pass(RowOrder::shuffled, 5, 2);
  const auto again = b.pass(RowOrder::shuffled, 5, 2);
  EXPECT_TRUE(std::ranges::equal(first, again));
  std::vector<Index> sorted(first.begin(), first.end());
  std::ranges::sort(sorted);
  EXPECT_TRUE(std::ranges::equal(sorted, a.all()));
  EXPECT_FALSE(std::ranges::equal(first, a.all()));
}

} // namespace
} // namespace recta
