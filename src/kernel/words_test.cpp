// Numbers of keys and sorted features, against the maps of the standard library.
#include "kernel/texts.hpp"
#include "kernel/words.hpp"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>

namespace recta::kernel {
namespace {

std::u32string any_key(std::mt19937& random, std::size_t longest, char32_t codes) {
  std::u32string key;
  for (std::size_t length = random() % (longest + 1); key.size() < length;)
    key += static_cast<char32_t>(random() % codes);
  return key;
}

TEST(Words, AreNumberedInTheOrderTheyCame) {
  std::mt19937 random(3);
  Words words;
  std::map<std::u32string, std::int64_t> numbers;
  for (int i = 0; i < 20'000; ++i) {
    const std::u32string key = any_key(random, 6, i % 2 == 0 ? 3 : 0x110000);
    const auto [entry, is_new] = numbers.try_emplace(key, std::ssize(numbers));
    ASSERT_EQ(words.number(key), entry->second);
  }
}

TEST(Words, OfAQueryGoOnFromThoseThatAreKnownAndLeaveThemAlone) {
  Words known;
  EXPECT_EQ(known.number(U"ab"), 0);
  EXPECT_EQ(known.number(U""), 1);
  Words query(&known);
  EXPECT_EQ(query.number(U"new"), 2);
  EXPECT_EQ(query.number(U"ab"), 0);
  EXPECT_EQ(query.number(U"newer"), 3);
  EXPECT_EQ(query.number(U"new"), 2);
  EXPECT_EQ(known.number(U"later"), 2);
}

TEST(SortFeatures, AddsUpWhatIsEqualAtEveryLength) {
  std::mt19937_64 random(4);
  for (const std::int64_t most : std::initializer_list<std::int64_t>{1, 10, 300, 70'000, std::int64_t{1} << 40})
    for (std::size_t length = 0; length < 200; ++length) {
      Counts counts;
      std::map<std::int64_t, double> sums;
      for (std::size_t i = 0; i < length; ++i) {
        const auto feature = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
        const auto count = static_cast<double>(random() % 5 + 1);
        counts.push_back({feature, count, 1});
        sums[feature] += count;
      }
      sort_features(counts);
      ASSERT_EQ(counts.size(), sums.size());
      auto expected = sums.begin();
      for (const FeatureCount& one : counts) {
        ASSERT_EQ(one.feature, expected->first);
        ASSERT_EQ(one.count, (expected++)->second);
      }
    }
}

} // namespace
} // namespace recta::kernel
