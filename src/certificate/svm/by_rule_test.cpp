// The proof by a rule: against the proof with the same coefficients one by one, in any cut, and with forged rules.
#include "certificate/svm/by_rule.hpp"
#include "objective/svm/test_sides.hpp"

#include <gtest/gtest.h>
#include <random>

namespace recta::svm {
namespace {

// Two columns far from zero, two overlapping classes, weights.
struct Table : testing::SidedRows {
  explicit Table(Index n) {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (Index i = 0; i < n; ++i) {
      const double a = normal(random), b = normal(random);
      add(100 + a, 3 * b, a + b + normal(random) > 0 ? 1 : -1, 1 + static_cast<double>(i % 3));
    }
  }
};

std::shared_ptr<RuleClaim> claim(Loss loss = Loss::hinge) {
  auto out = std::make_shared<RuleClaim>();
  out->terms.loss = loss;
  out->centre = {100, 0};
  out->machines.push_back({Sides{}, {0.9, 0.3}, -90.05, 2, {0.8, 0.31, 0.02}, 0.5});
  return out;
}

Proof proof_of(const std::shared_ptr<const RuleClaim>& claimed, const Table& table) {
  RuleJudge judge(claimed);
  judge.accumulate(table.batch(0, table.rows()));
  return judge.proof(0);
}

// P(w, b) - D(beta) by its definition, for the coefficients of the rule after the larger side is scaled down.
double slow_gap(const RuleClaim& claimed, const Table& table) {
  const RuleMachine& m = claimed.machines[0];
  const bool square = squared(claimed.terms.loss);
  std::vector<long double> beta;
  long double plus = 0, minus = 0, primal = 0, dual = 0, inside_plus = 0, inside_minus = 0;
  std::vector<bool> inside;
  for (Index i = 0; i < table.rows(); ++i) {
    const double *x = table.x.data() + 2 * i, t = table.y[at(i)], v = table.v[at(i)];
    const double score = m.rule[2] + m.rule[0] * (x[0] - 100) + m.rule[1] * x[1];
    double d = std::max(0.0, (1 - t * score) / m.width);
    if (!square) d = std::min(1.0, d);
    beta.push_back(m.cost * v * d * t);
    inside.push_back(d > 0 && (square || d < 1));
    (t > 0 ? plus : minus) += std::abs(beta.back());
    if (inside.back()) (t > 0 ? inside_plus : inside_minus) += std::abs(beta.back());
    const double lack = std::max(0.0, 1 - t * (m.w[0] * x[0] + m.w[1] * x[1] + m.b));
    primal += m.cost * v * (square ? lack * lack / 2 : lack);
  }
  const bool larger = plus > minus;
  const long double excess = std::abs(plus - minus), zone = larger ? inside_plus : inside_minus;
  const bool enough = zone >= excess;
  const long double eta = excess / (enough ? zone : std::max(plus, minus));
  long double g[2] = {0, 0};
  for (Index i = 0; i < table.rows(); ++i) {
    long double& one = beta[at(i)];
    if ((table.y[at(i)] > 0) == larger && (inside[at(i)] || !enough)) one *= 1 - eta;
    dual += std::abs(one) - (square ? one * one / (2 * m.cost * table.v[at(i)]) : 0);
    for (int j = 0; j < 2; ++j) g[j] += one * table.x[at(2 * i + j)];
  }
  primal += (m.w[0] * m.w[0] + m.w[1] * m.w[1]) / 2;
  dual -= (g[0] * g[0] + g[1] * g[1]) / 2;
  return static_cast<double>(primal - dual);
}

TEST(ByRule, TheGapIsThatOfTheCoefficientsOneByOne) {
  const Table table(500);
  for (const Loss loss : {Loss::hinge, Loss::squared_hinge}) {
    for (const double width : {0.5, 0.01, 30.0}) {
      auto claimed = claim(loss);
      claimed->machines[0].width = width;
      const Proof proof = proof_of(claimed, table);
      const double slow = slow_gap(*claimed, table);
      // What it costs to scale a group is exact for the hinge, and bounded by convexity for the squared one.
      EXPECT_GE(proof.gap, slow * (1 - 1e-9)) << width;
      EXPECT_NEAR(proof.gap, slow, (loss == Loss::hinge ? 1e-9 : 0.02) * slow) << width;
      EXPECT_LT(proof.slack, 1e-9 * proof.gap);
    }
  }
}

TEST(ByRule, TheNullCostIsThatOfTheBestConstant) {
  const Table table(500);
  for (const Loss loss : {Loss::hinge, Loss::squared_hinge}) {
    Problem problem{{loss}, true, table.y, table.v};
    for (double& one : problem.cost) one *= 2;
    EXPECT_NEAR(proof_of(claim(loss), table).null, null_cost(problem), 1e-9 * null_cost(problem));
  }
}

TEST(ByRule, PartsMergeToTheWholeAndTravelAsBytes) {
  const Table table(600);
  const auto claimed = claim();
  RuleJudge whole(claimed), first(claimed), second(claimed);
  whole.accumulate(table.batch(0, 600));
  first.accumulate(table.batch(0, 250));
  second.accumulate(table.batch(250, 600));
  const auto sent = RuleJudge::from_bytes(second.to_bytes());
  ASSERT_TRUE(sent);
  first.merge(*sent);
  EXPECT_NEAR(first.proof(0).gap, whole.proof(0).gap, 1e-12 * whole.proof(0).gap);
  EXPECT_EQ(first.proof(0).count, 600);
  EXPECT_FALSE(RuleJudge::from_bytes(second.to_bytes().substr(0, 100)));
}

// Whatever the rule says, the bound holds: it is never below the distance of this point from a better one.
TEST(ByRule, NoForgedRuleProvesAPoorPoint) {
  const Table table(500);
  auto poor = claim();
  poor->machines[0].w = {0.1, -0.2}, poor->machines[0].b = -10;
  const double better = proof_of(claim(), table).primal;
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 200; ++k) {
    RuleMachine& forged = poor->machines[0];
    forged.rule = {normal(random), normal(random), normal(random)};
    forged.width = std::exp(8 * normal(random));
    poor->centre = {100 * normal(random), normal(random)};
    const Proof proof = proof_of(poor, table);
    EXPECT_GE(proof.gap + proof.slack, proof.primal - better);
  }
  for (const double width : {0.0, -1.0, kNaN, kInfinity, -kInfinity}) {
    poor->machines[0].width = width;
    EXPECT_EQ(proof_of(poor, table).gap, kInfinity) << width;
  }
  poor->machines[0].width = 1;
  for (const double number : {kNaN, kInfinity, -kInfinity, 1e308}) {
    poor->machines[0].rule = {number, number, number};
    const Proof proof = proof_of(poor, table);
    EXPECT_FALSE(proof.gap + proof.slack < proof.primal - better) << number;
  }
}

} // namespace
} // namespace recta::svm
