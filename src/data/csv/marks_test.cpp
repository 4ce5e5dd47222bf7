// The meaning of commas and points in numbers: detected if the file leaves no doubt, refused if it does, and as told.
#include "data/csv/csv.hpp"
#include "data/dataset.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

Result<Dataset> reading(const std::string& text, const ReadOptions& options = {}) {
  return read_csv(text, "t.tsv", options);
}

Values first_column(const std::string& text, const ReadOptions& options = {}) {
  auto data = reading(text, options);
  EXPECT_TRUE(data) << data.error().text();
  return data ? data->columns[0].values : Values{};
}

std::string refusal(const std::string& text, const ReadOptions& options = {}) {
  auto data = reading(text, options);
  EXPECT_FALSE(data);
  return data ? "" : data.error().text();
}

std::vector<std::string> findings(const std::string& text, const ReadOptions& options = {}) {
  auto data = read_csv(text, "t.csv", options);
  EXPECT_TRUE(data) << data.error().text();
  std::vector<std::string> found;
  for (const std::string& note : data ? data->notes : std::vector<std::string>{})
    if (note.starts_with(kFindingNote)) found.push_back(note);
  return found;
}

ReadOptions with_thousands(char thousands, char decimal = 0) {
  ReadOptions options;
  options.thousands = thousands;
  options.decimal = decimal;
  return options;
}

TEST(CsvMarks, CommasThatAllStandBeforeThreeDigitsAreRefusedWithBothCures) {
  EXPECT_EQ(refusal("income\ty\n4,069\t8140\n616\t1232\n2,318\t4641\n"),
            "t.tsv:2:1, column income: \"4,069\" has two readings, as every comma in the numbers stands before exactly "
            "three digits; pass --thousands ',' if it is 4069, or --decimal ',' if it is 4.069");
  ReadOptions semicolons;
  semicolons.separator = ';';
  EXPECT_THAT(refusal("y;a\n1;-4,069\n2;616\n", semicolons), StartsWith("t.tsv:2:2, column a: \"-4,069\""));
  EXPECT_THAT(first_column("a\ty\n4,069\t1\n616\t2\n", with_thousands(',')), ElementsAre(4069, 616));
  EXPECT_THAT(first_column("a\ty\n4,069\t1\n616\t2\n", {.decimal = ','}), ElementsAre(4.069, 616));
}

TEST(CsvMarks, ADecimalCommaIsReadAsEverWhereOneNumberShowsIt) {
  EXPECT_THAT(first_column("a\ty\n1,5\t1\n3,14159\t2\n"), ElementsAre(1.5, 3.14159));
  EXPECT_THAT(first_column("a\ty\n4,069\t1\n1,5\t2\n"), ElementsAre(4.069, 1.5));
  EXPECT_THAT(first_column("a\ty\n4,069\t1\n0,123\t2\n"), ElementsAre(4.069, 0.123)); // no number begins with 0,
  EXPECT_THAT(first_column("a\ty\n4,069\t1\n1234,567\t2\n"), ElementsAre(4.069, 1234.567));
  EXPECT_THAT(first_column("a\ty\n4,069\t1\n-5,069\t2,5\n"), ElementsAre(4.069, -5.069)); // by another column
}

TEST(CsvMarks, TheNumberThatShowsItMayComeLateInTheSample) {
  std::string text = "a\ty\n";
  for (int i = 0; i < 5000; ++i) text += fmt::format("{},{:03}\t{}\n", 1 + i % 9, i % 1000, i);
  EXPECT_THAT(refusal(text), HasSubstr("has two readings"));
  EXPECT_EQ(first_column(text + "2,5\t1\n")[0], 1);
  EXPECT_EQ(first_column(text + "1,234,567\t1\n")[0], 1000);
}

TEST(CsvMarks, ThousandsSeparatorsAreDetectedWhereTheyCanBeNothingElse) {
  EXPECT_THAT(first_column("a\ty\n1,234,567\t1\n4,069\t2\n616\t3\n-12,345\t4\n"),
              ElementsAre(1234567, 4069, 616, -12345));
  EXPECT_THAT(first_column("a\ty\n1,234.5\t1\n12.25\t2\n4,069\t3\n"), ElementsAre(1234.5, 12.25, 4069));
  EXPECT_THAT(first_column("a\ty\n1.234,5\t1\n12,25\t2\n4.069\t3\n"), ElementsAre(1234.5, 12.25, 4069));
  const auto data = reading("a\ty\n1,234,567\t1\n4,069\t2\n");
  EXPECT_THAT(data->notes, Contains("thousands separator ','"));
  EXPECT_THAT(data->notes, Contains("look at column a: \"1,234,567\" is read as 1234567; pass --types a=category if it "
                                    "is not a number"));
}

TEST(CsvMarks, MarksThatContradictOneAnotherAreNotGuessedAt) {
  // 1,5 says that the comma is the decimal mark and 1,234,567 that it is not: that column is no column of numbers.
  EXPECT_EQ(reading("a\tb\n1,5\t1,234,567\n2,5\t2,234,567\n")->columns[1].type, ColumnType::category);
  EXPECT_EQ(reading("a\tb\n1,234,567\tx\nword\ty\n")->columns[0].type, ColumnType::category);
  EXPECT_EQ(reading("a\tb\n10,200\tx\n7,word\ty\n")->columns[0].type, ColumnType::category);
}

TEST(CsvMarks, WordsWithCommasDoNotMakeAFileUnclear) {
  const auto data = reading("a\tb\tc\n4,069\t1\tx\nword\t2\ty\nother\t3\tz\nthird\t4\tz\n");
  ASSERT_TRUE(data) << data.error().text();
  EXPECT_EQ(data->columns[0].type, ColumnType::category);
  ReadOptions options;
  options.types["a"] = ColumnType::category;
  EXPECT_EQ(reading("a\tb\n4,069\t1\n2,318\t2\n", options)->columns[0].levels.size(), 2u);
}

TEST(CsvMarks, AThousandsSeparatorThatWasSaidIsUsed) {
  EXPECT_THAT(first_column("a\ty\n1'234,5\t1\n616,25\t2\n", with_thousands('\'')), ElementsAre(1234.5, 616.25));
  EXPECT_THAT(first_column("a\ty\n1.234\t1\n616,25\t2\n", with_thousands('.')), ElementsAre(1234, 616.25));
  EXPECT_THAT(first_column("a\ty\n1 234\t1\n616\t2\n", with_thousands(' ')), ElementsAre(1234, 616));
  EXPECT_THAT(first_column("a\ty\n1_234.5\t1\n616\t2\n", with_thousands('_')), ElementsAre(1234.5, 616));
  EXPECT_EQ(reading("a\ty\n1,234\t1\n", with_thousands(','))->columns[0].type, ColumnType::integer);
}

TEST(CsvMarks, QuotedNumbersOfACommaSeparatedFileHaveThousandsToo) {
  const std::string text = "a,y\n\"1,200\",1\n616,2\n\"-2,345.5\",3\n";
  auto data = read_csv(text, "t.csv", with_thousands(','));
  ASSERT_TRUE(data) << data.error().text();
  EXPECT_THAT(data->columns[0].values, ElementsAre(1200, 616, -2345.5));
}

TEST(CsvMarks, WrongGroupsAreRefusedWithRowColumnValueAndCure) {
  EXPECT_EQ(refusal("a\ty\n1,234\t2\n1,23,4\t3\n", with_thousands(',')),
            "t.tsv:3:1, column a: \"1,23,4\" is not a number: its digits are not in groups of three; correct it, say "
            "with --decimal and --thousands what ',' means, or pass --types a=category");
  EXPECT_THAT(refusal("a\ty\n1,234\t2\n0,123\t3\n", with_thousands(',')), HasSubstr("not in groups of three"));
}

TEST(CsvMarks, DatesAndAddressesWithPointsAreNotWrongGroups) {
  const auto data = reading("a\tday\tip\n1.234\t31.12.2020\t10.0.0.1\n12\t1.1.2021\t10.0.0.2\n", with_thousands('.'));
  ASSERT_TRUE(data) << data.error().text();
  EXPECT_THAT(data->columns[0].values, ElementsAre(1234, 12));
  EXPECT_EQ(data->columns[1].type, ColumnType::category);
  EXPECT_EQ(data->columns[2].type, ColumnType::category);
}

TEST(CsvMarks, WrongGroupsAfterTheSampleAreRefusedToo) {
  std::string text = "a\ty\n";
  for (int i = 0; i < 12'000; ++i) text += fmt::format("{},{:03}\t{}\n", 1 + i % 9, i % 1000, i);
  const Values values = first_column(text, with_thousands(','));
  for (int i = 0; i < 12'000; ++i) ASSERT_EQ(values[static_cast<std::size_t>(i)], 1000 * (1 + i % 9) + i % 1000);
  EXPECT_THAT(refusal(text + "1,5\t1\n", with_thousands(',')), StartsWith("t.tsv:12002:1, column a: \"1,5\""));
}

TEST(CsvMarks, MarksThatCannotBeAreRefused) {
  EXPECT_THAT(refusal("a\ty\n1\t2\n", with_thousands(',', ',')), HasSubstr("',' is the decimal mark already"));
  EXPECT_THAT(refusal("a\ty\n1\t2\n", with_thousands('7')), HasSubstr("thousands separator: \"7\" is none"));
  ReadOptions blanks = with_thousands(' ');
  blanks.separator = ' ';
  EXPECT_THAT(refusal("1 2\n3 4\n", blanks), HasSubstr("blanks separate the fields"));
}

TEST(CsvMarks, TheAdviceOnASingleNumberNamesBothCures) {
  std::string text = "a,y\n";
  for (int i = 0; i < 50; ++i) text += fmt::format("{},{}\n", i == 40 ? "\"1,200\"" : std::to_string(i), i);
  auto data = read_csv(text, "t.csv", {});
  ASSERT_FALSE(data);
  EXPECT_EQ(data.error().text(), "t.csv:42:1, column a: \"1,200\" is not a number; pass --thousands ',' if it is 1200, "
                                 "or --decimal ',' if it is 1.2");
}

TEST(CsvMarks, CategoriesThatLookLikeSomethingElseAreNoted) {
  const auto column_of = [](auto&& value) {
    std::string text = "v,y\n";
    for (int i = 0; i < 30; ++i) text += fmt::format("{},{}\n", value(i), i);
    return text;
  };
  const auto money = column_of([](int i) { return fmt::format("${}", i); });
  EXPECT_THAT(findings(money), ElementsAre(HasSubstr("look at column v: values such as \"$0\" are read as categories; "
                                                     "remove the currency sign")));
  EXPECT_THAT(findings(column_of([](int i) { return fmt::format("{}%", i); })), ElementsAre(HasSubstr("percent sign")));
  EXPECT_THAT(findings(column_of([](int i) { return fmt::format("2020-01-{:02}", 1 + i % 28); })),
              ElementsAre(HasSubstr("write dates as numbers")));
  EXPECT_THAT(findings(column_of([](int i) { return fmt::format("\"{},200\"", 1 + i); })),
              ElementsAre(HasSubstr("pass --thousands ',' if it is 1200")));
  EXPECT_THAT(findings(column_of([](int i) { return fmt::format("word{}", i % 5); })), IsEmpty());
  EXPECT_THAT(findings(column_of([](int i) { return i % 2 ? "word" : "$5"; })), IsEmpty());
  ReadOptions told;
  told.types["v"] = ColumnType::category;
  EXPECT_THAT(findings(money, told), IsEmpty());
}

} // namespace
} // namespace recta
