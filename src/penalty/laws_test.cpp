// The laws that make a penalty fit for a solver and a proof, for every leaf there is.
#include "penalty/penalty.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace recta::penalty {
namespace {

constexpr std::size_t kFeatures = 6;
using Numbers = std::vector<double>;

class EveryPenalty : public testing::TestWithParam<std::string> {
protected:
  // At its usual parameters; groups of two.
  static std::unique_ptr<const Penalty> made(double lambda) {
    Given given{.lambda = lambda, .features = kFeatures};
    for (const PenaltyParam& param : penalty_info(GetParam()).params) {
      Numbers& numbers = given.numbers[param.name];
      for (std::size_t j = 0; j < (param.by_feature ? kFeatures : 1); ++j)
        numbers.push_back(param.name == "groups" ? static_cast<double>(j / 2) : param.usual);
    }
    return make_penalty(GetParam(), given).value();
  }
  Numbers drawn(double size) {
    Numbers out;
    for (std::size_t j = 0; j < kFeatures; ++j) out.push_back(size * normal_(random_));
    return out;
  }
  static double dot(const Numbers& a, const Numbers& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  }

  const Numbers exact_ = Numbers(kFeatures);
  std::mt19937_64 random_{5};
  std::normal_distribution<double> normal_;
};

TEST_P(EveryPenalty, NoPointIsBetterThanThatOfTheProximalStep) {
  for (const double lambda : {0.1, 1.0, 7.0})
    for (const double step : {0.3, 2.0}) {
      const auto penalty = made(lambda);
      const Numbers w = drawn(3);
      Numbers best = w;
      penalty->shrink(best, step);
      const auto cost = [&](const Numbers& v) {
        double sum = step * penalty->value(v);
        for (std::size_t j = 0; j < kFeatures; ++j) sum += (v[j] - w[j]) * (v[j] - w[j]) / 2;
        return sum;
      };
      ASSERT_TRUE(std::isfinite(cost(best)));
      for (int k = 0; k < 200; ++k) {
        Numbers other = drawn(k % 2 == 0 ? 0.01 : 1);
        for (std::size_t j = 0; j < kFeatures; ++j) other[j] += best[j];
        EXPECT_GE(cost(other), cost(best) - 1e-12);
      }
    }
}

// u = (w - v) / step is a slope of the penalty at v, where Fenchel's and Young's inequality is an equality.
TEST_P(EveryPenalty, TheConjugateTouchesAtTheSlopes) {
  for (int k = 0; k < 50; ++k) {
    const auto penalty = made(0.7);
    const Numbers w = drawn(2);
    Numbers v = w, u;
    penalty->shrink(v, 0.5);
    for (std::size_t j = 0; j < kFeatures; ++j) u.push_back((w[j] - v[j]) / 0.5 * (1 - 1e-12));
    EXPECT_NEAR(penalty->value(v) + penalty->conjugate(u, exact_), dot(u, v), 1e-10);
  }
}

TEST_P(EveryPenalty, IsNeverBelowZero) {
  const auto penalty = made(0.7);
  for (int k = 0; k < 100; ++k) EXPECT_GE(penalty->value(drawn(2)), 0);
  EXPECT_EQ(penalty->conjugate(exact_, exact_), 0); // minus the least value
}

TEST_P(EveryPenalty, TheConjugateIsAboveEveryLine) {
  const auto penalty = made(0.7);
  for (int k = 0; k < 300; ++k) {
    const Numbers w = drawn(2), u = drawn(1);
    EXPECT_GE(penalty->value(w) + penalty->conjugate(u, exact_), dot(u, w) - 1e-12);
  }
}

TEST_P(EveryPenalty, TheConjugateOfABallIsAboveThatOfItsPoints) {
  const auto penalty = made(0.7);
  for (int k = 0; k < 100; ++k) {
    const Numbers u = drawn(0.3), off(kFeatures, 0.05);
    Numbers v = u;
    for (double& one : v) one += std::uniform_real_distribution(-0.05, 0.05)(random_);
    EXPECT_GE(penalty->conjugate(u, off), penalty->conjugate(v, exact_) - 1e-15);
  }
}

TEST_P(EveryPenalty, ReachesAsFarAsTheConjugateIsFinite) {
  const auto penalty = made(0.7);
  for (int k = 0; k < 100; ++k) {
    Numbers u = drawn(k % 2 == 0 ? 3 : 0.1), off(kFeatures, 1e-3);
    const double s = penalty->reach(u, off);
    ASSERT_TRUE(s > 0 && s <= 1);
    const auto at = [&](double by) {
      Numbers x = u, o = off;
      for (std::size_t j = 0; j < kFeatures; ++j) x[j] *= by, o[j] *= by;
      return penalty->conjugate(x, o);
    };
    EXPECT_TRUE(std::isfinite(at(s * (1 - 1e-12))));
    if (s < 1) EXPECT_FALSE(std::isfinite(at(s * (1 + 1e-9))));
  }
}

std::vector<std::string> words() {
  std::vector<std::string> out;
  for (const PenaltyInfo& one : penalties()) out.push_back(one.word);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Leaves, EveryPenalty, testing::ValuesIn(words()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

} // namespace
} // namespace recta::penalty
