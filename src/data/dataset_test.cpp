#include "data/dataset.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::ElementsAre;

TEST(Dataset, LevelsAreSortedNumbersByValueThenTextByCodePoint) {
  Column column;
  column.type = ColumnType::category;
  column.levels = {"b", "10", "é", "9", "B", "-1", "z"};
  column.codes = {0, 1, 2, -1, 3, 4, 5, 6};
  sort_levels(column);
  EXPECT_THAT(column.levels, ElementsAre("-1", "9", "10", "B", "b", "z", "é"));
  EXPECT_THAT(column.codes, ElementsAre(4, 2, 6, -1, 1, 3, 0, 5));
}

TEST(Dataset, RowsAreCountedByType) {
  Column column;
  column.values = {1, 2, 3};
  EXPECT_EQ(column.rows(), 3);
  column.type = ColumnType::category;
  column.codes = {0, 0};
  EXPECT_EQ(column.rows(), 2);
  column.type = ColumnType::text;
  column.levels = {"a"};
  EXPECT_EQ(column.rows(), 1);
}

TEST(Dataset, AColumnIsFoundByItsName) {
  Dataset data;
  data.columns.resize(2);
  data.columns[1].name = "price";
  EXPECT_EQ(data.find("price"), &data.columns[1]);
  EXPECT_EQ(data.find("prices"), nullptr);
}

TEST(Dataset, BytesCountValuesAndLongTexts) {
  Dataset data;
  const std::size_t empty = data.bytes();
  data.columns.resize(1);
  data.columns[0].values.resize(1000);
  EXPECT_GE(data.bytes(), empty + 8000);
  data.columns[0].levels = {std::string(5000, 'x')};
  EXPECT_GE(data.bytes(), empty + 13000);
}

TEST(Dataset, TheFirstByteThatIsNotUtf8IsFound) {
  EXPECT_EQ(invalid_utf8("plain é 漢 🙂"), std::string_view::npos);
  EXPECT_EQ(invalid_utf8("caf\xE9"), 3u);
  EXPECT_EQ(invalid_utf8("\xC0\x80"), 0u);         // overlong
  EXPECT_EQ(invalid_utf8("a\xED\xA0\x80"), 1u);    // surrogate
  EXPECT_EQ(invalid_utf8("\xF4\x90\x80\x80"), 0u); // beyond U+10FFFF
  EXPECT_EQ(invalid_utf8(std::string_view("é").substr(0, 1)), 0u);
}

TEST(Dataset, AByteThatIsNotUtf8IsFoundAtEveryPlaceOfTextThatIsReadEightBytesAtATime) {
  for (std::size_t length = 1; length < 40; ++length)
    for (std::size_t place = 0; place < length; ++place) {
      std::string text(length, 'a');
      text[place] = '\xE9';
      EXPECT_EQ(invalid_utf8(text), place) << text;
      if (place + 1 < length) text.replace(place, 2, "é"); // whole: the place is good after all
      EXPECT_EQ(invalid_utf8(text), place + 1 < length ? std::string_view::npos : place) << text;
    }
}

TEST(Dataset, UnnamedColumnsAndNamesakesGetNamesOfTheirOwn) {
  std::vector<std::string> names = {"x", "", "x", "x_2", "", "x", "x5"}, notes;
  finish_names(names, notes);
  EXPECT_THAT(names, ElementsAre("x", "x2", "x_3", "x_2", "x5_2", "x_4", "x5"));
  EXPECT_EQ(notes[0], "column 2 has no name and is called x2");
  EXPECT_EQ(notes[1], "the name \"x\" occurs twice; column 3 is called x_3");
}

TEST(Dataset, TextsInMessagesAreShortAndPrintable) {
  EXPECT_EQ(shown("12,5"), "\"12,5\"");
  EXPECT_EQ(shown(std::string_view("a\0b\n", 4)), "\"a\\x00b\\x0a\"");
  EXPECT_EQ(shown("caf\xE9"), "\"caf\\xe9\"");
  EXPECT_EQ(shown(std::string(1000, 'x')), "\"" + std::string(40, 'x') + "...\"");
}

} // namespace
} // namespace recta
