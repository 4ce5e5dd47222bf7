// What rounding may hide of an objective is said: beside a distance to the optimum, and where there is none.
#include "base/double_double.hpp"
#include "certificate/loss/certify.hpp"
#include "stats/test_rows.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::Table;
using testing::TableRows;

Certificate judged(const LossObjective& objective, const Table& t, std::vector<double> w, double b) {
  Pool pool(1);
  TableRows rows(t, 64);
  auto facts = loss_facts(rows, pool, {}, {});
  EXPECT_TRUE(facts) << facts.error().text();
  EXPECT_TRUE(add_null(objective, rows, pool, {}, *facts));
  const LossClaimed claimed{.objective = objective, .facts = &*facts, .w = std::move(w), .b = b};
  auto checked = certify(claimed, nullptr, &rows, pool);
  EXPECT_TRUE(checked) << checked.error().text();
  return checked->certificate;
}

// Two rows of weights 1 and e have the variance d^2 e / (1 + e)^2, d what lies between them. Sums about zero keep few
// digits of it where d is tiny beside the numbers.
TEST(LossCertificate, CountsTheRoundingOfDeviationsThatArePenalised) {
  constexpr double kFar = 6951694328.596454, kWeight = 1.3e-5, kDelta = 1e4;
  const double d = (kFar + 0.37) - kFar, variance = d * d * kWeight / ((1 + kWeight) * (1 + kWeight));
  for (const auto& [loss, parameter] : {std::pair("huber", kDelta), std::pair("quantile", 0.5)})
    for (const double w : {3.7, 250.0, 1.9e4}) {
      const double b = -w * kFar;
      std::vector<double> y;
      double truth = 0.5 * w * w * variance;
      for (const double x : {kFar, kFar + 0.37}) {
        const DoubleDouble z = two_prod(w, x) + b;
        y.push_back(z.hi); // met but for the rounding of y, which adds less than 1e-20
        truth += 1e-20;
      }
      const Table t{2, 1, 1, {kFar, kFar + 0.37}, y, {1, kWeight}, {}};
      const Certificate c =
          judged({.loss = loss, .parameter = parameter, .lambda2 = 1, .standardise = true}, t, {w}, b);
      EXPECT_LE(std::abs(c.objective - truth), c.slack + 1e-12 * truth) << loss << w << c.sentence();
    }
}

// log 1.335... lies 2.7e-17 off the nearest double: half the square of that is all of the objective but for a row of
// next to no weight, and there is no distance to an optimum beside it.
TEST(LossCertificate, SaysWhatRoundingHidesOfAnObjectiveWithoutADistance) {
  constexpr double kAway = 0x1p53;
  const Table t{2, 1, 1, {kAway, kAway + 2}, {1.335010414289997, 0.738989546234501}, {1, 1.6e-39}, {}};
  const Certificate c = judged({.loss = "gamma"}, t, {0}, 0.2889390927880754);
  ASSERT_TRUE(std::holds_alternative<KktResidual>(c.claim)) << c.sentence();
  EXPECT_LE(3.6e-34 - c.objective, c.slack) << c.sentence();
  EXPECT_LE(c.slack, 1e-29);
}

} // namespace
} // namespace recta
