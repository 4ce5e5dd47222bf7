#include "objective/least_squares/exact_dependence.hpp"
#include "objective/test_exact.hpp"
#include "stats/pass.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::Rational;
using testing::Rows;

double draw(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<double>(static_cast<std::int64_t>(state >> 11)) / (1 << 20);
}

bool holds(Rows& rows, const Combination& combination, bool constant_allowed, int threads = 2) {
  Pool pool(threads);
  const auto asked = std::make_shared<const std::vector<Combination>>(1, combination);
  const auto seen = fresh_pass(rows, ExactDependence(asked, constant_allowed), pool, {}, {});
  EXPECT_TRUE(seen) << seen.error().text();
  return seen->holds[0] != 0;
}

// The same check in fractions, row by row.
bool holds_in_fractions(const Rows& rows, const Combination& combination, bool constant_allowed) {
  std::optional<Rational> first;
  for (Index i = 0; i < rows.n; ++i) {
    if (!rows.weights.empty() && rows.weights[i] == 0) continue;
    Rational sum = Rational(combination.times) * Rational(rows.x[i * rows.p + combination.column]);
    for (const auto& [j, factor] : combination.terms) sum -= Rational(factor) * Rational(rows.x[i * rows.p + j]);
    if (!constant_allowed && sum != 0) return false;
    if (!first) first = sum;
    if (*first != sum) return false;
  }
  return true;
}

TEST(ExactDependence, IsSeenAsFractionsSeeIt) {
  int exact = 0, bent = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    std::uint64_t state = seed;
    Rows rows(5, 3, {}, std::vector<double>(5));
    const Combination combination{2, 2, {{0, 3}, {1, -5}}}; // 2 c = 3 a - 5 b + 7
    for (Index i = 0; i < rows.n; ++i) {
      const int power = static_cast<int>(seed % 90) - 45; // columns of very different sizes
      const double a = 2 * std::round(draw(state)), b = std::ldexp(2 * std::round(draw(state) / 1024), power);
      rows.x.insert(rows.x.end(), {a, b, (3 * a - 5 * b + (seed % 2 == 0 ? 7 : 0)) / 2});
    }
    if (seed % 5 == 0) {
      double& one = rows.x[static_cast<std::size_t>(seed % 5) * 3 + 2];
      one = std::nextafter(one, 1e300);
    }
    if (seed % 7 == 0) rows.weights = {1, 0, 1, 2, 0.5};
    for (const bool constant : {true, false}) {
      const bool truth = holds_in_fractions(rows, combination, constant);
      EXPECT_EQ(holds(rows, combination, constant), truth) << seed;
      (truth ? exact : bent) += 1;
    }
  }
  EXPECT_GT(exact, 50);
  EXPECT_GT(bent, 50);
}

TEST(ExactDependence, OneBitInOneRowOfManyBlocksIsEnoughToBreakIt) {
  Rows rows(20000, 2, {}, std::vector<double>(20000));
  std::uint64_t state = 1;
  for (Index i = 0; i < rows.n; ++i) {
    const double a = draw(state);
    rows.x.insert(rows.x.end(), {a, a});
  }
  const Combination same{1, 1, {{0, 1}}};
  for (const bool sparse : {false, true}) {
    rows.sparse = sparse;
    EXPECT_TRUE(holds(rows, same, true));
    EXPECT_TRUE(holds(rows, same, false));
    double& last = rows.x[2 * 17777 + 1];
    const double kept = last;
    last = std::nextafter(last, 1e300);
    EXPECT_FALSE(holds(rows, same, true));
    EXPECT_FALSE(holds(rows, same, false));
    last = kept;
  }
}

TEST(ExactDependence, NumbersTooSmallOrTooLargeToMultiplyWithoutRoundingProveNothing) {
  Rows rows(2, 2, {1e-300, 3e-300, 2e-300, 6e-300}, {0, 0});
  EXPECT_FALSE(holds(rows, {1, 1, {{0, 3}}}, false));
  rows.x = {1e308, 1e308, 1e308, 1e308};
  EXPECT_FALSE(holds(rows, {1, 2, {{0, 2}}}, false));
}

TEST(ExactDependence, FactorsAreGuessedFromTheirRoundedValues) {
  const std::vector<double> spread{1, 1000, 1, 1};
  const DroppedColumn dropped{3, {1.0 / 3 + 1e-13, -0.0015 + 1e-16, 1e-14, 0}};
  const auto some = guesses(dropped, spread);
  ASSERT_FALSE(some.empty());
  EXPECT_EQ(some[0].times, 6000);
  EXPECT_EQ(some[0].terms, (std::vector<std::pair<Index, double>>{{0, 2000}, {1, -9}}));
  EXPECT_EQ(equation_text(some[0], -6, [](Index j) { return std::string(1, static_cast<char>('a' + j)); }),
            "6000 d = 2000 a - 9 b - 6");
  EXPECT_TRUE(guesses({3, {}}, spread).empty());
}

TEST(ExactDependence, BytesComeBackAndDamagedOnesAreRefused) {
  const auto asked = std::make_shared<const std::vector<Combination>>(2, Combination{1, 1, {{0, 1}}});
  ExactDependence state(asked, true);
  Rows rows(3, 2, {1, 1e20, 1, 1e20, 1, 1e20}, {0, 0, 0});
  Pool pool(1);
  const auto seen = fresh_pass(rows, state, pool, {}, {});
  ASSERT_TRUE(seen);
  const std::string bytes = seen->to_bytes();
  ASSERT_TRUE(ExactDependence::from_bytes(bytes));
  EXPECT_EQ(ExactDependence::from_bytes(bytes)->to_bytes(), bytes);
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(ExactDependence::from_bytes(bytes.substr(0, n))) << n;
}

} // namespace
} // namespace recta
