#include "data/csv/csv.hpp"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

Dataset table(const std::string& text, const ReadOptions& options = {}, const std::string& source = "t.csv") {
  auto data = read_csv(text, source, options);
  EXPECT_TRUE(data) << data.error().text();
  return data ? std::move(*data) : Dataset{};
}

std::vector<std::string> names(const Dataset& data) {
  std::vector<std::string> all;
  for (const Column& column : data.columns) all.push_back(column.name);
  return all;
}

std::vector<std::string> cells(const Column& column) {
  std::vector<std::string> all;
  for (Index i = 0; i < column.rows(); ++i)
    all.push_back(column.type == ColumnType::text ? column.levels[i]
                  : column.codes[i] < 0           ? "(missing)"
                                                  : column.levels[column.codes[i]]);
  return all;
}

TEST(Csv, ATableWithAHeaderBecomesNamedTypedColumns) {
  const Dataset data = table("size,price,city\n1,2.5,Rome\n2,3.5,Oslo\n3,4,Rome\n");
  EXPECT_THAT(names(data), ElementsAre("size", "price", "city"));
  EXPECT_EQ(data.rows, 3);
  EXPECT_EQ(data.columns[0].type, ColumnType::integer);
  EXPECT_EQ(data.columns[1].type, ColumnType::real);
  EXPECT_EQ(data.columns[2].type, ColumnType::category);
  EXPECT_THAT(data.columns[1].values, ElementsAre(2.5, 3.5, 4));
  EXPECT_THAT(data.columns[2].levels, ElementsAre("Oslo", "Rome"));
  EXPECT_THAT(data.columns[2].codes, ElementsAre(1, 0, 1));
}

TEST(Csv, QuotedFieldsHoldSeparatorsNewlinesAndDoubledQuotes) {
  const Dataset data = table("id,note\n1,\"a,b\"\n2,\"line 1\nline 2\"\n3,\"say \"\"hi\"\"\"\n4,\"\"\"\"\n");
  EXPECT_THAT(cells(data.columns[1]), ElementsAre("a,b", "line 1\nline 2", "say \"hi\"", "\""));
}

TEST(Csv, AQuoteInsideAnUnquotedFieldIsACharacter) {
  EXPECT_THAT(cells(table("id,size\n1,5\" pipe\n2,6\" pipe\n").columns[1]), ElementsAre("5\" pipe", "6\" pipe"));
}

TEST(Csv, LinesMayEndInLfCrLfOrCr) {
  for (const char* text : {"a,b\n1,2\n3,4\n", "a,b\r\n1,2\r\n3,4\r\n", "a,b\r1,2\r3,4\r", "a,b\n1,2\r\n3,4"}) {
    const Dataset data = table(text);
    EXPECT_THAT(data.columns[0].values, ElementsAre(1, 3)) << text;
    EXPECT_THAT(data.columns[1].values, ElementsAre(2, 4)) << text;
  }
}

TEST(Csv, TheLastLineNeedsNoEnd) {
  EXPECT_THAT(table("1,2\n3,4").columns[1].values, ElementsAre(2, 4));
  EXPECT_THAT(cells(table("1,a\n3,\"b\"").columns[1]), ElementsAre("a", "b"));
}

TEST(Csv, BlankLinesAreNoRows) {
  const Dataset data = table("\n\na,b\n\n1,2\n   \n3,4\n \t \n\n");
  EXPECT_THAT(data.columns[0].values, ElementsAre(1, 3));
  EXPECT_THAT(table("x\n1\n\n2\n  \n3\n").columns[0].values, ElementsAre(1, 2, 3));
}

TEST(Csv, AByteOrderMarkIsSkipped) {
  EXPECT_EQ(table("\xEF\xBB\xBFx,y\n1,2\n").columns[0].name, "x");
}

TEST(Csv, BlanksAroundUnquotedFieldsAreTrimmed) {
  const Dataset data = table("39, State-gov , 77516\n50,  Self-emp,83311 \n");
  EXPECT_THAT(cells(data.columns[1]), ElementsAre("State-gov", "Self-emp"));
  EXPECT_THAT(data.columns[2].values, ElementsAre(77516, 83311));
  EXPECT_THAT(cells(table("id,s\n1,\" a \"\n2, \" b\" \n").columns[1]), ElementsAre(" a ", " b"));
}

TEST(Csv, EverySeparatorIsDetected) {
  const std::pair<char, const char*> notes[] = {
      {',', "separator ','"}, {';', "separator ';'"}, {'\t', "separator: tab"}, {'|', "separator '|'"}};
  for (const auto& [c, note] : notes) {
    const Dataset data = table(fmt::format("a{0}b\n1{0}2\n3{0}4\n", c));
    EXPECT_THAT(data.columns[1].values, ElementsAre(2, 4)) << c;
    EXPECT_THAT(data.notes, Contains(note));
  }
}

TEST(Csv, RunsOfBlanksSeparateATableOfNumbers) {
  const Dataset data =
      table(" 0.00632  18.00   2.310  0\n 0.02731   0.00   7.070  1 \n\t1 2 3\t4\n", {}, "housing.data");
  EXPECT_EQ(data.columns.size(), 4u);
  EXPECT_THAT(data.columns[0].values, ElementsAre(0.00632, 0.02731, 1));
  EXPECT_THAT(data.columns[3].values, ElementsAre(0, 1, 4));
  EXPECT_THAT(data.notes, Contains("separator: runs of blanks"));
}

TEST(Csv, ASeparatorThatWasAskedForIsUsed) {
  ReadOptions options;
  options.separator = ';';
  const Dataset data = table("a,b;c\n1,2;3\n2,3;4\n", options);
  EXPECT_THAT(names(data), ElementsAre("a,b", "c"));
}

TEST(Csv, ADecimalCommaIsDetectedBesideAnotherSeparator) {
  const Dataset data = table("a;b\n1,5;2\n2,25;3\n");
  EXPECT_THAT(data.columns[0].values, ElementsAre(1.5, 2.25));
  EXPECT_THAT(data.notes, Contains("decimal comma"));
  ReadOptions options;
  options.decimal = ',';
  EXPECT_THAT(table("a\tb\n1\t2\n2\t3,5\n", options).columns[1].values, ElementsAre(2, 3.5));
}

TEST(Csv, AFileOfNumbersHasNoHeader) {
  const Dataset data = table("1,2\n3,4\n");
  EXPECT_THAT(names(data), ElementsAre("x1", "x2"));
  EXPECT_EQ(data.rows, 2);
  EXPECT_THAT(data.notes, Contains("no header: columns are called x1 to x2"));
}

TEST(Csv, AHeaderOverTextColumnsIsKnownByNamesThatDoNotRecur) {
  EXPECT_THAT(names(table("kind,shape\ne,x\np,b\ne,x\np,x\n")), ElementsAre("kind", "shape"));
  EXPECT_THAT(names(table("ham,hello there\nspam,win now\nham,see you\n")), ElementsAre("x1", "x2"));
}

TEST(Csv, AQuotedFirstRowOfNumbersOverBareNumbersIsAHeader) {
  EXPECT_THAT(names(table("\"class\",\"1\",\"2\"\n\"CNS\",0.3,1.18\n\"CNS\",0.6,1.2\n")),
              ElementsAre("class", "1", "2"));
}

TEST(Csv, TheHeaderOptionOverrulesDetection) {
  ReadOptions options;
  options.header = true;
  EXPECT_THAT(names(table("1,2\n3,4\n", options)), ElementsAre("1", "2"));
  options.header = false;
  EXPECT_EQ(table("a,b\nc,d\n", options).rows, 2);
}

TEST(Csv, UnnamedAndRepeatedColumnsAreNamedAndTheNotesSaySo) {
  const Dataset data = table("x,,x\n1,2,3\n");
  EXPECT_THAT(names(data), ElementsAre("x", "x2", "x_2"));
  EXPECT_THAT(data.notes, Contains("column 2 has no name and is called x2"));
  EXPECT_THAT(data.notes, Contains("the name \"x\" occurs twice; column 3 is called x_2"));
}

TEST(Csv, MissingTokensBecomeNanAndMinusOne) {
  const Dataset data =
      table("x,c\n1,a\n,b\nNA,\nN/A,NA\nNaN,?\nnan,null\nnull,NULL\nNULL,.\n?,-\n.,a\n-,a\n\"\",\"NA\"\n");
  for (Index i = 1; i < data.rows; ++i) EXPECT_TRUE(std::isnan(data.columns[0].values[i])) << i;
  EXPECT_EQ(data.columns[0].type, ColumnType::integer);
  EXPECT_THAT(data.columns[1].codes, ElementsAre(0, 1, -1, -1, -1, -1, -1, -1, -1, 0, 0, -1));
}

TEST(Csv, MissingTokensThatWereAskedForReplaceTheUsualOnes) {
  ReadOptions options;
  options.missing_tokens = {"none", "-999"};
  const Dataset data = table("x,c\n1,NA\nnone,none\n-999,b\n-999.0,-999\n", options);
  EXPECT_EQ(data.columns[0].values[0], 1);
  for (Index i = 1; i < 4; ++i) EXPECT_TRUE(std::isnan(data.columns[0].values[i])) << i;
  EXPECT_THAT(cells(data.columns[1]), ElementsAre("NA", "(missing)", "b", "(missing)"));
}

TEST(Csv, AColumnWithoutAnyValueIsRealAndMissing) {
  const Dataset data = table("x,y\n1,\n2,NA\n");
  EXPECT_EQ(data.columns[1].type, ColumnType::real);
  EXPECT_TRUE(std::isnan(data.columns[1].values[0]) && std::isnan(data.columns[1].values[1]));
}

TEST(Csv, QuotedNumbersAreNumbersUnlessATypeSaysOtherwise) {
  EXPECT_THAT(table("x,y\n1,\"0\"\n2,\"1\"\n").columns[1].values, ElementsAre(0, 1));
  ReadOptions options;
  options.types["y"] = ColumnType::category;
  EXPECT_THAT(cells(table("x,y\n1,\"10\"\n2,9\n", options).columns[1]), ElementsAre("10", "9"));
}

TEST(Csv, TypesCanBeOverruled) {
  ReadOptions options;
  options.types = {{"a", ColumnType::real}, {"b", ColumnType::text}, {"c", ColumnType::category}};
  const Dataset data = table("a,b,c\n1,2,3\n4,5,20\n7,8,3\n", options);
  EXPECT_EQ(data.columns[0].type, ColumnType::real);
  EXPECT_THAT(cells(data.columns[1]), ElementsAre("2", "5", "8"));
  EXPECT_THAT(data.columns[2].levels, ElementsAre("3", "20"));
}

TEST(Csv, ExpectedColumnsHaveTheirTypeAndTellAHeader) {
  ReadOptions options;
  options.expected = {{"a", ColumnType::category}, {"elsewhere", ColumnType::real}};
  const Dataset data = table("a\n01\n1\n01\n", options); // by its looks: a column of numbers
  EXPECT_THAT(data.columns[0].levels, ElementsAre("01", "1"));
  options.types["a"] = ColumnType::real; // what the user says comes first
  EXPECT_THAT(table("a\n01\n1\n01\n", options).columns[0].values, ElementsAre(1, 1, 1));
  options.types.clear();
  options.expected = {{"b", ColumnType::real}};
  EXPECT_EQ(table("a,b\nx,NA\ny,NA\n", options).columns[1].name, "b"); // by its looks: three rows of words
}

TEST(Csv, ManyDistinctLongValuesAreTextAndFewShortOnesAreLevels) {
  std::string text = "id,body,tag\n";
  for (int i = 0; i < 100; ++i) text += fmt::format("{},a rather long remark number {},tag{}\n", i, i, i % 5);
  const Dataset data = table(text);
  EXPECT_EQ(data.columns[1].type, ColumnType::text);
  EXPECT_EQ(data.columns[1].levels[7], "a rather long remark number 7");
  EXPECT_EQ(data.columns[2].levels.size(), 5u);
}

TEST(Csv, LabelsThatLookLikeNumbersInPartAreACategory) {
  std::string text = "dependents,y\n";
  for (int i = 0; i < 100; ++i) text += fmt::format("{},{}\n", i % 10 == 0 ? "3+" : std::to_string(i % 3), i);
  const Dataset data = table(text);
  EXPECT_THAT(data.columns[0].levels, ElementsAre("0", "1", "2", "3+"));
  EXPECT_THAT(data.notes, Contains("column dependents is a category, though most of its values are numbers"));
}

// Rows beyond the sample: 12,000 integers, then something else.
std::string late(const std::string& last) {
  std::string text = "x,c\n";
  for (int i = 0; i < 12'000; ++i) text += fmt::format("{},l{}\n", i, i % 3);
  return text + last;
}

TEST(Csv, AnIntegerColumnBecomesRealWhenARealAppearsLate) {
  const Dataset data = table(late("0.5,l0\n"));
  EXPECT_EQ(data.columns[0].type, ColumnType::real);
  EXPECT_EQ(data.columns[0].values.back(), 0.5);
}

TEST(Csv, ALevelFirstSeenLateIsAdded) {
  const Dataset data = table(late("1,a\n"));
  EXPECT_THAT(data.columns[1].levels, ElementsAre("a", "l0", "l1", "l2"));
  EXPECT_EQ(data.columns[1].codes.back(), 0);
  EXPECT_EQ(data.columns[1].codes.front(), 1);
}

TEST(Csv, TheSameTableIsReadWithAnyNumberOfThreads) {
  std::string text = "a,b,c,d\r\n";
  for (int i = 0; i < 150'000; ++i)
    text += fmt::format("{},{},\"k {}\nx,{}\"\"\",w{}\r\n", i * 0.37, i, i % 1000, i % 7, i % (i < 100'000 ? 13 : 977));
  ReadOptions options;
  options.threads = 1;
  const Dataset one = table(text, options);
  for (const int threads : {2, 3, 8}) {
    options.threads = threads;
    const Dataset many = table(text, options);
    ASSERT_EQ(one.rows, many.rows);
    for (int j = 0; j < 4; ++j) {
      EXPECT_EQ(one.columns[j].values, many.columns[j].values);
      EXPECT_EQ(one.columns[j].codes, many.columns[j].codes);
      EXPECT_EQ(one.columns[j].levels, many.columns[j].levels);
    }
  }
  EXPECT_EQ(one.columns[0].values[149'999], 149'999 * 0.37);
  EXPECT_EQ(cells(one.columns[2])[149'999], "k 999\nx,3\"");
}

TEST(Csv, EveryRowLandsInItsPlaceWhereverPiecesAreCut) {
  // Row lengths vary, so that cuts fall on every kind of byte.
  std::string text;
  for (int i = 0; i < 300'000; ++i)
    text += fmt::format("{},{}{}", i, std::string(i % 9, ' '), i % 5 ? "7\n" : "7\r\n\r\n");
  const Dataset data = table(text);
  ASSERT_EQ(data.rows, 300'000);
  for (int i = 0; i < 300'000; ++i) ASSERT_EQ(data.columns[0].values[i], i);
}

TEST(Csv, TabSeparatedTextWithStrayQuotesIsReadAsItStands) {
  const Dataset data = table("ham\t\"Gimme\" said\nspam\tno \"quotes\"\nham\tplain\n", {}, "sms.tsv");
  EXPECT_THAT(cells(data.columns[1]), ElementsAre("\"Gimme\" said", "no \"quotes\"", "plain"));
  EXPECT_THAT(data.notes, Contains("quotes are read as ordinary characters"));
}

TEST(Csv, OneColumnAndOneRowAreATable) {
  EXPECT_THAT(table("x\n1\n2\n").columns[0].values, ElementsAre(1, 2));
  EXPECT_THAT(table("1,2,3\n").columns[2].values, ElementsAre(3));
  EXPECT_THAT(table("x,y\n1,2\n").columns[1].values, ElementsAre(2));
}

TEST(Csv, ATableOfManyColumnsIsRead) {
  std::string text;
  for (int row = 0; row < 3; ++row)
    for (int j = 0; j < 5000; ++j) text += fmt::format("{}{}", j * (row + 1), j == 4999 ? "\n" : ",");
  const Dataset data = table(text);
  ASSERT_EQ(data.columns.size(), 5000u);
  for (int j = 0; j < 5000; ++j) EXPECT_THAT(data.columns[j].values, ElementsAre(j, 2 * j, 3 * j));
}

} // namespace
} // namespace recta
