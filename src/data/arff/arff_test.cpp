#include "data/arff/arff.hpp"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace recta {
namespace {

using Numbers = std::vector<double>;
using Codes = std::vector<std::int32_t>;
using Texts = std::vector<std::string>;

Numbers numbers(const Column& column) {
  return {column.values.begin(), column.values.end()};
}

Dataset good(std::string_view text, const ReadOptions& options = {}) {
  auto data = read_arff(text, "t.arff", options);
  EXPECT_TRUE(data) << data.error().text();
  return data ? std::move(*data) : Dataset{};
}
std::string refusal(std::string_view text, const ReadOptions& options = {}) {
  auto data = read_arff(text, "t.arff", options);
  return data ? "accepted" : data.error().text();
}

const std::string kWeather = "% a comment\n"
                             "@RELATION weather\n\n"
                             "@attribute outlook {sunny, overcast, rainy}\n"
                             "@Attribute 'air temperature' REAL % trailing\n"
                             "@attribute humidity integer\n"
                             "@attribute note string\n"
                             "@ATTRIBUTE play {yes,no}\n"
                             "@DATA\n"
                             "sunny,85.5,85,'it''s',no\n"
                             "% between\n\n"
                             " rainy , ? , 96 , \"a, b\" , yes % why\r\n"
                             "?,1e2,?,?,?\n";

TEST(Arff, reads_numbers_nominal_values_and_text) {
  std::string text = kWeather;
  text.replace(text.find("'it''s'"), 7, "'it\\'s'");
  const Dataset data = good(text);
  ASSERT_EQ(data.rows, 3);
  ASSERT_EQ(data.columns.size(), 5u);
  EXPECT_EQ(data.columns[0].type, ColumnType::category);
  EXPECT_EQ(data.columns[0].levels, (Texts{"overcast", "rainy", "sunny"}));
  EXPECT_EQ(data.columns[0].codes, (Codes{2, 1, -1}));
  EXPECT_EQ(data.columns[1].name, "air temperature");
  EXPECT_EQ(data.columns[1].values[0], 85.5);
  EXPECT_TRUE(std::isnan(data.columns[1].values[1]));
  EXPECT_EQ(data.columns[1].values[2], 100);
  EXPECT_EQ(data.columns[2].type, ColumnType::integer);
  EXPECT_EQ(data.columns[3].type, ColumnType::text);
  EXPECT_EQ(data.columns[3].levels, (Texts{"it's", "a, b", ""}));
  EXPECT_EQ(data.columns[4].codes, (Codes{0, 1, -1}));
}

TEST(Arff, values_declared_as_0_and_1_are_numbers) {
  const Dataset data = good("@relation r\n@attribute a {0,1}\n@attribute b {1, 0}\n@attribute c {0,1,2}\n@data\n"
                            "1,0,2\n?,1,0\n{}\n");
  EXPECT_EQ(data.columns[0].type, ColumnType::integer);
  EXPECT_EQ(data.columns[0].values[0], 1);
  EXPECT_TRUE(std::isnan(data.columns[0].values[1]));
  EXPECT_EQ(data.columns[0].values[2], 0);
  EXPECT_EQ(numbers(data.columns[1]), (Numbers{0, 1, 1})); // where a sparse row says nothing, the first declared
  EXPECT_EQ(data.columns[2].type, ColumnType::category);
  EXPECT_EQ(refusal("@relation r\n@attribute a {0,1}\n@data\n2\n"),
            "t.arff:4:1, column a: \"2\" is not among the declared values; add it to the @attribute line");
}

TEST(Arff, types_given_are_those_of_the_columns) {
  const std::string text = "@relation r\n@attribute a {2,10}\n@attribute b real\n@attribute c string\n"
                           "@attribute d {0,1}\n@attribute e {x,y}\n@data\n10,07,z,1,x\n2,7,?,0,y\n?,07,a,?,?\n";
  ReadOptions options;
  options.types = {{"a", ColumnType::real},
                   {"b", ColumnType::category},
                   {"c", ColumnType::category},
                   {"d", ColumnType::category},
                   {"e", ColumnType::text}};
  const Dataset data = good(text, options);
  EXPECT_EQ(data.columns[0].values[0], 10);
  EXPECT_EQ(data.columns[0].values[1], 2);
  EXPECT_EQ(data.columns[1].levels, (Texts{"07", "7"}));
  EXPECT_EQ(data.columns[1].codes, (Codes{0, 1, 0}));
  EXPECT_EQ(data.columns[2].levels, (Texts{"a", "z"}));
  EXPECT_EQ(data.columns[2].codes, (Codes{1, -1, 0}));
  EXPECT_EQ(data.columns[3].levels, (Texts{"0", "1"}));
  EXPECT_EQ(data.columns[3].codes, (Codes{1, 0, -1}));
  EXPECT_EQ(data.columns[4].levels, (Texts{"x", "y", ""}));
  options.types = {{"f", ColumnType::real}};
  EXPECT_THAT(refusal(text, options), testing::HasSubstr("there is no column \"f\" to give a type to"));
  options.types = {{"e", ColumnType::real}};
  EXPECT_EQ(refusal(text, options),
            "t.arff, column e: the declared value \"x\" is not a number; read it as a category");
}

TEST(Arff, values_declared_and_never_used_stay_levels) {
  EXPECT_EQ(good("@relation r\n@attribute c {b,a,10,9}\n@data\na\n").columns[0].levels, (Texts{"9", "10", "a", "b"}));
}

TEST(Arff, a_sparse_row_means_zero_and_the_first_declared_value_where_it_says_nothing) {
  const Dataset data = good("@relation r\n@attribute a numeric\n@attribute c {z,y,x}\n@attribute b integer\n"
                            "@attribute s string\n@data\n"
                            "{0 1.5, 2 7}\n{}\n{1 x,3 'hi'}\n{ 1 ? , 2 3 }\n4,z,5,t\n");
  EXPECT_EQ(numbers(data.columns[0]), (Numbers{1.5, 0, 0, 0, 4}));
  EXPECT_EQ(data.columns[1].levels, (Texts{"x", "y", "z"}));
  EXPECT_EQ(data.columns[1].codes, (Codes{2, 2, 0, -1, 2}));
  EXPECT_EQ(numbers(data.columns[2]), (Numbers{7, 0, 0, 3, 5}));
  EXPECT_EQ(data.columns[3].levels, (Texts{"", "", "hi", "", "t"}));
}

TEST(Arff, an_integer_attribute_with_other_numbers_is_real) {
  EXPECT_EQ(good("@relation r\n@attribute a integer\n@data\n1\n2.5\n").columns[0].type, ColumnType::real);
}

TEST(Arff, dates_are_text_and_said_so) {
  const Dataset data = good("@relation r\n@attribute d date \"yyyy-MM-dd\"\n@data\n\"2001-04-03\"\n");
  EXPECT_EQ(data.columns[0].levels, (Texts{"2001-04-03"}));
  EXPECT_EQ(data.notes, (Texts{"column d holds dates and is kept as text"}));
}

TEST(Arff, a_byte_order_mark_and_a_missing_last_newline_are_no_obstacle) {
  EXPECT_EQ(numbers(good("\xEF\xBB\xBF@relation r\r\n@attribute a numeric\r\n@data\r\n1\r\n2").columns[0]),
            (Numbers{1, 2}));
}

const std::string kHead = "@relation r\n@attribute a numeric\n@attribute c {yes,no}\n@data\n";

TEST(Arff, refusals_name_the_line_the_column_and_the_text) {
  EXPECT_EQ(refusal(kHead + "inf,yes\n"),
            "t.arff:5:1, column a: \"inf\" is not a number; infinite values cannot be used: "
            "correct it, or remove the row");
  EXPECT_EQ(refusal(kHead + "'1,5',yes\n"),
            "t.arff:5:1, column a: \"1,5\" is not a number; write the decimal mark as a point");
  EXPECT_EQ(refusal(kHead + "1,yes\nx,no\n"), "t.arff:6:1, column a: \"x\" is not a number; "
                                              "write ? for a missing value, or declare the attribute string");
  EXPECT_EQ(refusal(kHead + "1,yse\n"),
            "t.arff:5:3, column c: \"yse\" is not among the declared values; did you mean \"yes\"?");
  EXPECT_EQ(refusal(kHead + "1,qqqqqq\n"),
            "t.arff:5:3, column c: \"qqqqqq\" is not among the declared values; add it to the @attribute line");
  EXPECT_EQ(
      refusal(kHead + "1\n"),
      "t.arff:5:3: the row ends after 1 of 2 values; every row has one value per attribute, ? where it is missing");
  EXPECT_EQ(refusal(kHead + "1,yes,3\n"),
            "t.arff:5:7: the row has more than 2 values; every row has one value per attribute");
  EXPECT_EQ(refusal(kHead + "1,,yes\n"), "t.arff:5:3: there is no value for column c; write ? for a missing value");
  EXPECT_EQ(refusal(kHead + "1,'yes\n"),
            "t.arff:5:3: the quote is not closed on this line; write \\' for a quote inside quotes");
  EXPECT_EQ(refusal(kHead + "1,yes,{0.5}\n"),
            "t.arff:5:7: the row has a weight in braces; make the weights an attribute of their own");
  EXPECT_EQ(refusal(kHead + "1e999,yes\n"),
            "t.arff:5:1, column a: \"1e999\" is beyond the largest double; rescale the column or remove the row");
  EXPECT_EQ(refusal(kHead + "{0 1, 0 2}\n"), "t.arff:5:7: index 0 follows one that is as large or larger; "
                                             "indices must ascend within a row, each once");
  EXPECT_EQ(refusal(kHead + "{2 1}\n"), "t.arff:5:2: there is no attribute \"2\"; they are numbered from 0 to 1");
  EXPECT_EQ(refusal(kHead + "{x 1}\n"), "t.arff:5:2: \"x\" is not an index; a sparse row is {index value, ...}");
}

TEST(Arff, refusals_of_declarations_name_the_line) {
  EXPECT_EQ(refusal(""), "t.arff: is empty; give a table with at least one row");
  EXPECT_EQ(refusal("@relation r\n@data\n1\n"), "t.arff: no @attribute stands before @data");
  EXPECT_EQ(refusal("@relation r\n"),
            "t.arff: there is no @data line in it; rows follow a line @data; is it another format?");
  EXPECT_EQ(refusal(kHead), "t.arff: no row follows @data; attributes alone are not a table");
  EXPECT_EQ(refusal("@relation r\n@attribute a complex\n@data\n"),
            "t.arff:2:14: \"complex\" is not a type; types are numeric, real, integer, string, date and {a, b, ...}");
  EXPECT_EQ(refusal("@relation r\n@attribute a relational\n@data\n"),
            "t.arff:2:14: \"relational\" is not a type; relational attributes are not read; flatten the table");
  EXPECT_EQ(refusal("@relation r\n@attribute a {x,x}\n@data\n"),
            "t.arff:2:17: value \"x\" is declared twice; keep it once");
  EXPECT_EQ(refusal("@relation r\n@attribute a {x,y\n@data\n"),
            "t.arff:2:19: the list of values is not closed; write {a, b, 'c d'}");
  EXPECT_EQ(refusal("@relation r\n@atribute a real\n@data\n"),
            "t.arff:2:1: \"@atribute\" is not a declaration; @relation, @attribute and @data are expected here");
}

TEST(Arff, what_is_no_number_or_no_text_is_refused) {
  for (const char* row : {"nan,yes", "inf,yes", "1;5,yes", "0x1,yes", "{0}", "{0 1", "{0 1,1", "1,yes}", "'',yes"})
    EXPECT_NE(refusal(kHead + row + "\n"), "accepted") << row;
  EXPECT_NE(refusal(kHead + std::string("1\0,yes\n", 7)), "accepted");
  EXPECT_NE(refusal("@relation r\n@attribute s string\n@data\n'\xff'\n").find("is not UTF-8"), std::string::npos);
  EXPECT_NE(refusal("@relation r\n@attribute \xe9 real\n@data\n1\n").find("is not UTF-8"), std::string::npos);
}

TEST(Arff, columns_and_memory_are_limited) {
  ReadOptions options;
  options.max_columns = 1;
  EXPECT_EQ(refusal(kHead + "1,yes\n", options),
            "t.arff:3:12: there are more than 1 attributes; raise --max-columns if the file is right");
  options = {};
  options.max_memory = 20; // less than the text and the columns take
  EXPECT_EQ(refusal(kHead + "1,yes\n2,no\n", options),
            "t.arff:5: with this row the table takes more than 20 bytes; raise --max-memory, or stream the file");
}

TEST(Arff, sparse_rows_cannot_make_a_table_out_of_proportion) {
  std::string text = "@relation r\n";
  for (int j = 0; j < 2000; ++j) text += fmt::format("@attribute a{} numeric\n", j);
  text += "@data\n";
  for (int i = 0; i < 6000; ++i) text += "{}\n";
  EXPECT_NE(refusal(text).find("raise --max-memory"), std::string::npos);
}

class File {
public:
  explicit File(std::string_view bytes)
      : path_((std::filesystem::temp_directory_path() / fmt::format("recta_arff_{}_{}.arff", getpid(), counter++))
                  .string()) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~File() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

private:
  static inline int counter = 0;
  std::string path_;
};

TEST(Arff, blocks_together_are_the_whole_table) {
  std::string text = kHead;
  for (int i = 0; i < 250; ++i)
    text += i % 3 == 0 ? fmt::format("{{0 {}}}\n", i) : fmt::format("{},{}\n\n% c\n", i / 4.0, i % 2 ? "yes" : "no");
  const Dataset whole = good(text);
  const File file(text);
  auto reader = stream_arff(std::move(*Input::open(file.path())), {}, 100);
  ASSERT_TRUE(reader) << reader.error().text();
  EXPECT_EQ((*reader)->header().columns[1].levels, (Texts{"no", "yes"}));
  for (int round = 0; round < 2; ++round) {
    Numbers values;
    Codes codes;
    Dataset block;
    std::vector<Index> sizes;
    while (*(*reader)->next(block)) {
      EXPECT_EQ(block.first_row, static_cast<Index>(values.size()));
      sizes.push_back(block.rows);
      values.insert(values.end(), block.columns[0].values.begin(), block.columns[0].values.end());
      codes.insert(codes.end(), block.columns[1].codes.begin(), block.columns[1].codes.end());
    }
    EXPECT_EQ(values, numbers(whole.columns[0]));
    EXPECT_EQ(codes, whole.columns[1].codes);
    EXPECT_EQ(sizes, (std::vector<Index>{100, 100, 50}));
    ASSERT_TRUE((*reader)->rewind());
  }
}

TEST(Arff, a_stream_has_the_levels_of_each_block) {
  const File file(kHead + "5,yes\n3,no\n4,no\n");
  ReadOptions options;
  options.types = {{"a", ColumnType::category}};
  auto reader = stream_arff(std::move(*Input::open(file.path())), options, 2);
  ASSERT_TRUE(reader);
  EXPECT_EQ((*reader)->header().columns[0].type, ColumnType::category);
  Dataset block;
  ASSERT_TRUE(*(*reader)->next(block));
  EXPECT_EQ(block.columns[0].levels, (Texts{"3", "5"}));
  EXPECT_EQ(block.columns[0].codes, (Codes{1, 0}));
  ASSERT_TRUE(*(*reader)->next(block));
  EXPECT_EQ(block.columns[0].levels, (Texts{"4"}));
  EXPECT_EQ(block.columns[0].codes, (Codes{0}));
}

TEST(Arff, a_stream_reports_the_line_of_a_fault) {
  const File file(kHead + "1,yes\n\n2,no\n3,nO\n");
  auto reader = stream_arff(std::move(*Input::open(file.path())), {}, 2);
  ASSERT_TRUE(reader);
  Dataset block;
  ASSERT_TRUE(*(*reader)->next(block));
  const auto second = (*reader)->next(block);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().where, file.path() + ":8:3, column c");
}

TEST(Arff, content_is_recognised) {
  EXPECT_TRUE(looks_like_arff("% c\n\n @Relation x\n"));
  EXPECT_FALSE(looks_like_arff("a,b\n"));
  EXPECT_FALSE(looks_like_arff(""));
}

} // namespace
} // namespace recta
