#include "data/level_table.hpp"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>

namespace recta {

TEST(LevelTable, NumbersTextsAsTheyAreMetLikeAMap) {
  std::mt19937 random(7);
  LevelTable table;
  std::map<std::string, std::int32_t> known;
  for (int k = 0; k < 200'000; ++k) {
    std::string text(random() % 9, 'x');
    for (char& c : text) c = static_cast<char>(random() % 5);
    if (random() % 500 == 0) text.append(random() % 70'000, 'y'); // lengths of one, two and three bytes
    const auto found = known.find(text);
    ASSERT_EQ(table.find(text), found == known.end() ? LevelTable::kUnknown : found->second);
    if (found != known.end()) continue;
    const auto number = static_cast<std::int32_t>(known.size());
    ASSERT_EQ(table.add(text), number);
    known.emplace(text, number);
  }
  ASSERT_EQ(table.size(), static_cast<std::int32_t>(known.size()));
  table.close();
  for (const auto& [text, number] : known) ASSERT_EQ(table[number], text);
}

TEST(LevelTable, HoldsTheEmptyTextAndSurvivesBeingMoved) {
  LevelTable table;
  EXPECT_EQ(table.find(""), LevelTable::kUnknown);
  EXPECT_EQ(table.add(""), 0);
  EXPECT_EQ(table.add("a"), 1);
  LevelTable moved = std::move(table);
  EXPECT_EQ(moved.find(""), 0);
  EXPECT_EQ(moved.add("b"), 2);
  EXPECT_EQ(moved[1], "a");
}

TEST(LevelTable, TakesLittleMoreThanTheTextsThemselves) {
  LevelTable table;
  std::size_t bytes = 0;
  for (int k = 0; k < 1'000'000; ++k) {
    const std::string text = std::to_string(k);
    bytes += text.size();
    table.add(text);
  }
  EXPECT_LE(table.bytes(), bytes + 1'000'000 * 24);
}

} // namespace recta
