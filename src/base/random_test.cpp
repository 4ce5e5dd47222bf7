#include "base/random.hpp"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

namespace recta {
namespace {

// Published with the paper's reference implementation (kat_vectors).
TEST(Random, philox_gives_its_known_answers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, a_sequence_can_be_entered_anywhere) {
  Random whole(7, 3);
  std::vector<std::uint64_t> numbers(20);
  for (auto& number : numbers) number = whole.bits();
  EXPECT_EQ(whole.counter(), 20u);
  for (std::uint64_t k = 0; k < 20; ++k) EXPECT_EQ(Random(7, 3, k).bits(), numbers[k]);
}

TEST(Random, seeds_and_streams_differ) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    for (std::uint64_t stream = 0; stream < 30; ++stream) seen.insert(Random(seed, stream).bits());
  EXPECT_EQ(seen.size(), 900u);
}

TEST(Random, uniform_numbers_lie_in_the_unit_interval_with_the_right_moments) {
  Random random(1);
  double sum = 0, squares = 0;
  constexpr int n = 200'000;
  for (int k = 0; k < n; ++k) {
    const double u = random.uniform();
    ASSERT_TRUE(u >= 0 && u < 1);
    sum += u, squares += u * u;
  }
  EXPECT_NEAR(sum / n, 0.5, 0.003);
  EXPECT_NEAR(squares / n, 1.0 / 3, 0.003);
}

TEST(Random, normal_numbers_have_the_right_moments) {
  Random random(2);
  double moment[5] = {};
  constexpr int n = 200'000;
  for (int k = 0; k < n; ++k) {
    const double z = random.normal();
    for (int m = 1; m < 5; ++m) moment[m] += std::pow(z, m) / n;
  }
  EXPECT_NEAR(moment[1], 0, 0.01);
  EXPECT_NEAR(moment[2], 1, 0.015);
  EXPECT_NEAR(moment[3], 0, 0.04);
  EXPECT_NEAR(moment[4], 3, 0.12);
}

constexpr std::uint64_t kFirstBits = 0xe50a0ebce3e80670, kThenUniform = 0x3fe6c2b544f2be44,
                        kThenNormal = 0x3feb0dc06bb20cba, kThenBelow = 328;

std::vector<Index> shuffled(Random& random, Index n) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  random.shuffle(std::span(order));
  return order;
}

const std::vector<Index> kThenOrder = {5, 3, 4, 1, 2, 0};

// The first numbers of seed 1, as bits: they are the same on every machine and in every release.
TEST(Random, the_sequence_never_changes) {
  Random random(1);
  EXPECT_EQ(random.bits(), kFirstBits);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(random.uniform()), kThenUniform);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(random.normal()), kThenNormal);
  EXPECT_EQ(random.below(1000), kThenBelow);
  EXPECT_EQ(shuffled(random, 6), kThenOrder);
}

TEST(Random, bounded_numbers_are_in_range_and_even) {
  Random random(3);
  std::vector<int> count(6);
  for (int k = 0; k < 60'000; ++k) ++count.at(random.below(6));
  for (int c : count) EXPECT_NEAR(c, 10'000, 450);
  EXPECT_EQ(random.below(1), 0u);
  for (int k = 0; k < 100; ++k) EXPECT_LT(random.below((std::uint64_t{1} << 63) + 1), (std::uint64_t{1} << 63) + 1);
}

TEST(Random, a_shuffle_holds_every_number_once_and_all_orders_occur) {
  Random random(4);
  std::vector<Index> order = shuffled(random, 1000);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  std::sort(order.begin(), order.end());
  for (Index i = 0; i < 1000; ++i) EXPECT_EQ(order[i], i);
  std::set<std::vector<Index>> seen;
  for (int k = 0; k < 300; ++k) seen.insert(shuffled(random, 4));
  EXPECT_EQ(seen.size(), 24u);
  EXPECT_TRUE(shuffled(random, 0).empty());
}

} // namespace
} // namespace recta
