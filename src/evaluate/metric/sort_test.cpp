// The order is stable and complete, for keys that spread in all the ways scores do.
#include "base/random.hpp"
#include "evaluate/metric/sort.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace recta::metric {
namespace {

// Numbers that a radix sort could get wrong: both signs, zeros, denormals, an outlier, few values, one value.
std::vector<std::vector<double>> spreads(std::size_t count) {
  Random random(7);
  std::vector<std::vector<double>> all(6, std::vector<double>(count));
  for (std::size_t i = 0; i < count; ++i) {
    all[0][i] = random.uniform();
    all[1][i] = random.normal() * std::exp(30 * random.normal());
    all[2][i] = static_cast<double>(random.below(5)) - 2;
    all[3][i] = 0.25;
    all[4][i] = i == count / 2 ? 1e300 : 0.5 + 1e-9 * random.uniform();
    all[5][i] = (random.below(2) == 0 ? -1 : 1) * std::ldexp(random.uniform(), -1060);
  }
  return all;
}

TEST(SortKeys, AKeyAscendsWithItsNumberAndGivesItBack) {
  const double ordered[] = {-INFINITY, -1e308, -1, -5e-324, 0, 5e-324, 0.1, 1, 1e308, INFINITY};
  for (std::size_t i = 0; i < std::size(ordered); ++i) {
    EXPECT_EQ(number_of(key_of(ordered[i])), ordered[i]);
    if (i > 0) EXPECT_LT(key_of(ordered[i - 1]), key_of(ordered[i]));
  }
  EXPECT_EQ(key_of(-0.0), key_of(0.0));
}

// Every item is there once, keys never fall, and equal ones keep their order; the weight of an item is its first place.
void expect_stable_order(const Unset<WeightedKey>& sorted, const Unset<WeightedKey>& given) {
  std::vector<bool> there(given.size(), false);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto first_place = static_cast<std::size_t>(sorted[i].weight);
    ASSERT_FALSE(there[first_place]);
    there[first_place] = true;
    ASSERT_EQ(sorted[i].key, given[first_place].key);
    if (i == 0) continue;
    ASSERT_LE(sorted[i - 1].key, sorted[i].key);
    if (sorted[i - 1].key == sorted[i].key) ASSERT_LT(sorted[i - 1].weight, sorted[i].weight);
  }
}

TEST(SortKeys, OrderIsStableAtAnyNumberOfThreads) {
  for (const std::size_t count : {0u, 1u, 2u, 25u, 1000u, 300'000u})
    for (const std::vector<double>& numbers : spreads(count)) {
      Unset<std::uint64_t> keys;
      Unset<WeightedKey> given;
      for (std::size_t i = 0; i < count; ++i) {
        keys.push_back(key_of(numbers[i]));
        given.push_back({keys.back(), static_cast<double>(i)});
      }
      for (const int threads : {1, 3}) {
        auto sorted = given;
        sort_keys(sorted, threads);
        ASSERT_NO_FATAL_FAILURE(expect_stable_order(sorted, given)) << count;
        auto plain = keys;
        sort_keys(plain, threads);
        ASSERT_TRUE(std::ranges::equal(plain, sorted, {}, {}, &WeightedKey::key)) << count;
      }
    }
}

} // namespace
} // namespace recta::metric
