// Coefficients moved onto their constraints, against exact sums.
#include "certificate/svm/nudge.hpp"

#include <gtest/gtest.h>
#include <random>

namespace recta::svm {
namespace {

// An exact sum: numbers that do not overlap (Shewchuk 1997, grow-expansion).
class ExactSum {
public:
  void add(double value) {
    std::vector<double> next;
    for (const double one : parts_) {
      const DoubleDouble s = two_sum(value, one);
      if (s.lo != 0) next.push_back(s.lo);
      value = s.hi;
    }
    next.push_back(value);
    parts_ = std::move(next);
  }
  void add_product(double a, double b) {
    const DoubleDouble product = two_prod(a, b);
    add(product.lo), add(product.hi);
  }
  double value() const {
    double sum = 0;
    for (const double one : parts_) sum += one;
    return sum;
  }

private:
  std::vector<double> parts_;
};

// Coefficients whose sums are on their targets to rounding, in columns of the sizes 1e6, 1 and 1e-3. Of the other two
// columns one is half the first, the other is far from its constraint.
ActiveColumns rounded(std::uint64_t seed, Index rows) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  ActiveColumns three, out;
  three.target = {1, -1, 1}, out.target = {1, -1, 1, 0, 0};
  for (Index i = 0; i < rows; ++i) {
    three.beta.push_back((i % 2 == 0 ? 1 : -1) * (0.1 + std::abs(normal(engine))));
    const double first = 1e6 * normal(engine), second = normal(engine), third = 1e-3 * normal(engine);
    three.x.insert(three.x.end(), {first, second, third});
    out.x.insert(out.x.end(), {first, second, third, first / 2, 1e-9 * normal(engine)});
  }
  // The change that takes them to the targets is large here; afterwards what is left is rounding.
  const auto far = nudge_to_constraints(three, kInfinity);
  for (std::size_t i = 0; i < three.beta.size(); ++i) out.beta.push_back(three.beta[i] + far->delta[i]);
  return out;
}

TEST(Nudge, TakesRoundedCoefficientsOntoTheirConstraints) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const ActiveColumns active = rounded(seed, 300);
    const auto nudge = nudge_to_constraints(active, 1e-11);
    ASSERT_TRUE(nudge);
    ExactSum sum;
    std::vector<ExactSum> before(5), after(5);
    double mass = 0;
    for (Index i = 0; i < active.rows(); ++i) {
      const double beta = active.beta[at(i)], delta = nudge->delta[at(i)];
      EXPECT_LE(std::abs(delta), 1e-11 * std::abs(beta));
      mass += std::abs(beta);
      sum.add(beta), sum.add(delta);
      for (Index j = 0; j < 5; ++j) {
        const double x = active.x[at(5 * i + j)];
        before[at(j)].add_product(beta, x);
        after[at(j)].add_product(beta, x), after[at(j)].add_product(delta, x);
      }
    }
    EXPECT_GT(std::abs(before[0].value() - 1), 1e-12); // rounding had taken it off
    EXPECT_LT(std::abs(sum.value()), 1e-26 * mass);
    for (Index j = 0; j < 3; ++j) {
      ExactSum off = after[at(j)];
      off.add(-active.target[at(j)]);
      EXPECT_LT(std::abs(off.value()), 1e-20);
    }
    for (Index j = 0; j < 5; ++j) { // what it says of itself is right
      ExactSum off = after[at(j)];
      off.add(-nudge->g[at(j)].hi), off.add(-nudge->g[at(j)].lo);
      EXPECT_LE(std::abs(off.value()), nudge->rounding * mass * 1e7);
    }
  }
}

TEST(Nudge, HoldsAColumnWithoutATargetWithinItsBounds) {
  ActiveColumns active = rounded(4, 200);
  // Nearly the first column again: two targets for it would contradict one another.
  for (Index i = 0; i < active.rows(); ++i) active.x[at(5 * i + 3)] = active.x[at(5 * i)] * (1 + 1e-15);
  const auto nudge = nudge_to_constraints(active, 1e-11);
  ASSERT_TRUE(nudge);
  EXPECT_LE(std::abs(nudge->g[3].hi), 1 + 0x1p-46);
}

TEST(Nudge, IsRefusedIfACoefficientWouldMoveByMoreThanRounding) {
  ActiveColumns active = rounded(5, 100);
  active.target[1] = 1; // it is at -1
  EXPECT_FALSE(nudge_to_constraints(active, 1e-11));
}

// Squares are penalised: g is to be w, by the coefficients that are inside their boxes, and the last column is
// anything.
TEST(Nudge, TakesSumsToGivenNumbersByTheCoefficientsThatMayMove) {
  ActiveColumns active = rounded(4, 300);
  active.target = {0.25, -3, 0, 0, 0};
  active.held = {true, true, true, false, false};
  active.fixed.resize(300);
  for (std::size_t i = 0; i < 300; i += 3) active.fixed[i] = true;
  const auto nudge = nudge_to_constraints(active, 1e9);
  EXPECT_FALSE(nudge_to_constraints(active, 1e-11)); // these are far away
  ASSERT_TRUE(nudge);
  std::vector<ExactSum> off(3);
  ExactSum sum;
  for (std::size_t j = 0; j < 3; ++j) off[j].add(-active.target[j]);
  for (Index i = 0; i < active.rows(); ++i) {
    const double beta = active.beta[at(i)], delta = nudge->delta[at(i)];
    EXPECT_EQ(active.fixed[at(i)] && delta != 0, false);
    sum.add(beta), sum.add(delta);
    for (Index j = 0; j < 3; ++j) {
      const double x = active.x[at(5 * i + j)];
      off[at(j)].add_product(beta, x), off[at(j)].add_product(delta, x);
    }
  }
  EXPECT_LT(std::abs(sum.value()), 1e-12);
  for (ExactSum& one : off) EXPECT_LT(std::abs(one.value()), 1e-8);
  active.fixed.assign(300, true);
  EXPECT_FALSE(nudge_to_constraints(active, 1e9));
}

} // namespace
} // namespace recta::svm
