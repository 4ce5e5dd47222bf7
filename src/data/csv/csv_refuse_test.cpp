// Input that cannot be read is refused with the place, what was found there, and what to do.
#include "data/csv/csv.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::StartsWith;

std::string refusal(const std::string& text, const ReadOptions& options = {}, const std::string& source = "t.csv") {
  auto data = read_csv(text, source, options);
  EXPECT_FALSE(data);
  return data ? "" : data.error().text();
}

TEST(CsvRefuses, AnEmptyFile) {
  EXPECT_EQ(refusal(""), "t.csv: is empty; give a table with at least one row");
  EXPECT_EQ(refusal("\n  \n\r\n"), "t.csv: is empty; give a table with at least one row");
  EXPECT_EQ(refusal("\xEF\xBB\xBF"), "t.csv: is empty; give a table with at least one row");
}

TEST(CsvRefuses, AHeaderAlone) {
  EXPECT_EQ(refusal("a,b\n"), "t.csv: there are no data rows; a header alone is not a table");
}

TEST(CsvRefuses, TextInAColumnOfNumbers) {
  std::string text = "size,price\n";
  for (int i = 0; i < 50; ++i) text += fmt::format("{},{}\n", i, i == 40 ? "cheap" : std::to_string(i * 1.5));
  EXPECT_EQ(refusal(text), "t.csv:42:2, column price: \"cheap\" is not a number; correct it, or pass --types "
                           "price=category, or --missing-tokens if it stands for a missing value");
}

TEST(CsvRefuses, TheFirstWordAmongExpectedNumbers) { // by its looks the column would be a category
  ReadOptions options;
  options.expected["size"] = ColumnType::integer;
  EXPECT_EQ(refusal("size\n4\nx\n", options),
            "t.csv:3:1, column size: \"x\" is not a number; the model was trained on numbers in size: correct it, or "
            "pass --missing-tokens if it stands for a missing value");
}

TEST(CsvRefuses, TextThatAppearsAfterTheSample) {
  std::string text = "x\n";
  for (int i = 0; i < 12'000; ++i) text += fmt::format("{}\n", i);
  EXPECT_THAT(refusal(text + "oops\n"), StartsWith("t.csv:12002:1, column x: \"oops\" is not a number"));
}

TEST(CsvRefuses, ADecimalCommaInAColumnWithPoints) {
  EXPECT_EQ(refusal("a;b\n1.5;2\n2.5;3\n2,5;3\n"),
            "t.csv:4:1, column a: \"2,5\" is not a number; pass --decimal ',' if that is the decimal mark");
}

TEST(CsvRefuses, NumbersTooLargeForADouble) {
  EXPECT_EQ(refusal("x\n1\n1e999\n"),
            "t.csv:3:1, column x: \"1e999\" is too large for a double; correct it; the largest is about 1.8e308");
}

TEST(CsvRefuses, InfiniteValues) {
  EXPECT_EQ(refusal("x\n1\n2\n-inf\n"),
            "t.csv:4:1, column x: \"-inf\" is not a number; infinite values cannot be used: "
            "correct it, or pass --missing-tokens -inf");
}

TEST(CsvRefuses, RaggedRows) {
  EXPECT_EQ(refusal("a,b\n1,2\n3\n"), "t.csv:3: the row has 1 field where 2 are expected; correct the row, or pass "
                                      "--separator if it was detected wrongly");
  EXPECT_THAT(refusal("a,b\n1,2\n\n3,4,5\n"), StartsWith("t.csv:4: the row has 3 fields where 2 are expected; co"));
  EXPECT_THAT(refusal("a,b\n1,\"x\ny\"\n3,\"p\nq\",r\n"),
              StartsWith("t.csv:4: the row has 3 fields where 2 are expecte"));
}

TEST(CsvRefuses, AQuoteThatIsNeverClosedNamingTheLineWhereItOpened) {
  EXPECT_EQ(refusal("a,b\n1,x\n2,\"open\n3,y\n4,z\n"),
            "t.csv:3:2, column b: the quote that opens here is never closed; close it, or double it if it belongs to "
            "the text");
}

TEST(CsvRefuses, TextAfterAClosingQuote) {
  EXPECT_EQ(refusal("a,b\n1,x\n2,\"p\"q\n"),
            "t.csv:3:2, column b: text follows the closing quote; double the quotes that belong to the text");
}

TEST(CsvRefuses, AFieldOnALaterLineOfItsRowIsPlacedByBothLines) {
  EXPECT_THAT(refusal("a,b\n\"p\nq\",1\n\"r\ns\",2\n\"t\nu\",x\n"),
              StartsWith("t.csv:7:2, column b (row begins on line 6): \"x\" is not a number"));
}

TEST(CsvRefuses, Utf16) {
  EXPECT_EQ(refusal(std::string("\xFF\xFE"
                                "1\0,\0",
                                6)),
            "t.csv: is UTF-16 or UTF-32 text; convert it first, for example with iconv -f utf-16 -t utf-8");
}

TEST(CsvRefuses, NulBytes) {
  using namespace std::string_literals;
  EXPECT_EQ(refusal("a,b\n1,x\n2,y\0z\n"s), "t.csv:3:2, column b: the field \"y\\x00z\" holds a NUL byte; the file is "
                                            "not text, or is UTF-16: convert it");
  EXPECT_THAT(refusal("a,b\0\n1,2\n"s), StartsWith("t.csv:1:2: the name \"b\\x00\" holds a NUL byt"));
  EXPECT_THAT(refusal("a\n1\n2\0\n3\n"s), StartsWith("t.csv:3:1, column a: \"2\\x00\" is not a number; corre"));
}

TEST(CsvRefuses, BytesThatAreNotUtf8InNamesAndLevels) {
  EXPECT_EQ(refusal("a,b\n1,x\n2,caf\xE9\n"),
            "t.csv:3:2, column b: byte 4 of the field \"caf\\xe9\" is not UTF-8; convert the file first, for example "
            "with iconv -f latin1 -t utf-8, or pass --bad-utf8 replace");
  EXPECT_THAT(refusal("a,\xE9\n1,2\n"), StartsWith("t.csv:1:2: byte 1 of the name \"\\xe9\" is not UTF-8; con"));
}

TEST(CsvRefuses, NoBytesThatAreToBeReplaced) {
  ReadOptions options;
  options.replace_invalid = true;
  const auto data = read_csv("a,b\n1,x\n2,caf\xE9\n3,caf\xE8\n", "t.csv", options);
  ASSERT_TRUE(data) << data.error().text();
  const Column& b = data->columns[1];
  EXPECT_EQ(b.levels.at(static_cast<std::size_t>(b.codes[1])), "caf\uFFFD");
  EXPECT_EQ(b.codes[1], b.codes[2]); // both bytes have the same sign in their place
}

TEST(CsvRefuses, MoreColumnsThanAllowed) {
  ReadOptions options;
  options.max_columns = 3;
  EXPECT_EQ(refusal("1,2,3,4\n", options),
            "t.csv:1:4: there are more than 3 columns; raise --max-columns if that is right");
}

TEST(CsvRefuses, MoreMemoryThanAllowedBeforeItIsAllocated) {
  ReadOptions options;
  options.max_memory = 1000;
  EXPECT_THAT(refusal(std::string(400, '\n') + "1,2,3\n4,5,6\n", options),
              StartsWith("t.csv: 2 rows of 3 columns nee"));
}

TEST(CsvRefuses, ASmallFileWhoseTableWouldBeHuge) {
  EXPECT_NE(refusal(std::string(1'000'000, ',') + "\n").find("more than the limit of"), std::string::npos);
}

TEST(CsvRefuses, ATypeForAColumnThatDoesNotExist) {
  ReadOptions options;
  options.types["prise"] = ColumnType::category;
  EXPECT_EQ(refusal("price,x\n1,2\n", options),
            "t.csv: there is no column \"prise\" to give a type to; did you mean price?");
}

TEST(CsvRefuses, AFirstRowThatMixesNamesAndNumbersWithAHint) {
  EXPECT_EQ(refusal("150,4,setosa\n5.1,3.5,0\n4.9,3.0,0\n4.7,3.2,0\n"),
            "t.csv:1:3, column x3: \"setosa\" is not a number; pass --header if the first row holds the names");
}

TEST(CsvRefuses, WithTheFirstErrorOfTheFileWhateverTheThreads) {
  std::string text = "x,y\n";
  for (int i = 0; i < 400'000; ++i) text += i == 150'000 || i == 390'000 ? "1\n" : i == 250'000 ? "x,1\n" : "12.5,3\n";
  for (const int threads : {1, 2, 4}) {
    ReadOptions options;
    options.threads = threads;
    EXPECT_THAT(refusal(text, options), StartsWith("t.csv:150002: the row has 1 fie"));
  }
}

} // namespace
} // namespace recta
