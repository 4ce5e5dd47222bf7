#include "data/jsonl/jsonl.hpp"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace recta {
namespace {

using Texts = std::vector<std::string>;

Result<Dataset> table(std::string_view text, const ReadOptions& options = {}) {
  return read_jsonl(Bytes::borrowed(text), "t.jsonl", options);
}
Dataset good(std::string_view text, const ReadOptions& options = {}) {
  auto data = table(text, options);
  EXPECT_TRUE(data) << data.error().text();
  return data ? std::move(*data) : Dataset{};
}
std::string refusal(std::string_view text, const ReadOptions& options = {}) {
  auto data = table(text, options);
  return data ? "accepted" : data.error().text();
}
Texts cells(const Column& column) {
  Texts all;
  for (const std::int32_t code : column.codes) all.push_back(code < 0 ? "missing" : column.levels[std::size_t(code)]);
  return all;
}

TEST(JsonLines, KeysAreColumnsInTheOrderTheyComeUp) {
  const Dataset data = good("{\"a\": 1.5, \"b\": \"x\"}\r\n"
                            "\n"
                            "  { \"b\" : \"y\" , \"c\" : true , \"a\" : -2e3 }  \n"
                            "{\"a\":null,\"c\":false,\"b\":null}\n"
                            "{}\n"
                            "{\"a\": NaN, \"c\": true}");
  ASSERT_EQ(data.rows, 5);
  ASSERT_EQ(data.columns.size(), 3U);
  EXPECT_EQ(data.columns[0].name, "a");
  EXPECT_EQ(data.columns[0].values[0], 1.5);
  EXPECT_EQ(data.columns[0].values[1], -2000);
  for (const std::size_t i : {2U, 3U, 4U}) EXPECT_TRUE(std::isnan(data.columns[0].values[i]));
  EXPECT_EQ(cells(data.columns[1]), (Texts{"x", "y", "missing", "missing", "missing"}));
  EXPECT_EQ(cells(data.columns[2]), (Texts{"missing", "true", "false", "missing", "true"}));
}

TEST(JsonLines, TextsAreUnescapedAndKeepTheirMarks) {
  const Dataset data = good(R"({"a b":"say \"hi\",\n\tA\u00e9\u4E2D\ud83d\ude00 \\ \/ NA"})"
                            "\n"
                            R"({"a b":" plain "})"
                            "\n"
                            R"({"a b":"NA"})");
  EXPECT_EQ(data.columns[0].name, "a b");
  EXPECT_EQ(cells(data.columns[0]), (Texts{"say \"hi\",\n\tAé中😀 \\ / NA", " plain ", "NA"}));
}

TEST(JsonLines, AKeyWithTextsIsACategoryEvenIfTheyLookLikeNumbers) {
  const Dataset data = good("{\"zip\":\"01234\",\"mixed\":1}\n{\"zip\":\"98,100\",\"mixed\":\"two\"}\n");
  EXPECT_EQ(cells(data.columns[0]), (Texts{"01234", "98,100"}));
  EXPECT_EQ(cells(data.columns[1]), (Texts{"1", "two"}));
  ReadOptions as_number;
  as_number.types = {{"zip", ColumnType::real}};
  EXPECT_EQ(good("{\"zip\":\"01234\"}\n{\"zip\":\"98100\"}\n", as_number).columns[0].values[0], 1234);
}

TEST(JsonLines, ARowOfNothingIsARow) {
  EXPECT_EQ(good("{\"a\":1}\n{}\n{\"a\":null}\n{\"a\":2}\n").rows, 4);
}

TEST(JsonLines, WrongJsonIsNamedByLineAndColumn) {
  const std::string first = "{\"a\": 1}\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{\"a\": 1", "t.jsonl:2:8: the object is not closed; end it with } on the same line"},
      {"{\"a\": 1,}", "t.jsonl:2:9: a key in quotes is expected, and here is \"}\"; leave out the comma before it"},
      {"{\"a\": 1,", "t.jsonl:2:9: a key in quotes is expected, and here the line ends; write it as \"key\": value"},
      {"{\"a\":", "t.jsonl:2:6: the key \"a\" needs a value, and here the line ends; a cell is a number, a text in "
                  "quotes, true, false or null"},
      {"{\"a\" 1}", "t.jsonl:2:6: a colon is expected after the key \"a\"; write it as \"key\": value"},
      {"{\"a\": 01}",
       "t.jsonl:2:7: a number begins with 0; leave out the zero, or put quotes round it if it is a text"},
      {"{\"a\": 1.}", "t.jsonl:2:7: \"1.\" is not a number; put quotes round a text"},
      {"{\"a\": -x}", "t.jsonl:2:7: \"-x\" is not a number; put quotes round a text"},
      {"{\"a\": [1]}",
       "t.jsonl:2:7: the key \"a\" holds a list; a cell is a number, a text, true, false or null; write "
       "its parts as keys of their own"},
      {"{\"a\": {\"b\": 1}}", "t.jsonl:2:7: the key \"a\" holds an object; a cell is a number, a text, true, false or "
                              "null; write its parts as keys of their own"},
      {"{\"a\": yes}", "t.jsonl:2:7: the key \"a\" needs a value, and here is \"yes}\"; a cell is a number, a text "
                       "in quotes, true, false or null"},
      {"{\"a\": \"x}",
       "t.jsonl:2:7: the quote that opens here is never closed; close it on the same line; a line break "
       "inside a text is \\n"},
      {"{\"a\": \"\\x\"}",
       "t.jsonl:2:8: a backslash is followed by a character that it does not escape; write it twice "
       "if it belongs to the text"},
      {"{\"a\": \"\\ud83d!\"}", "t.jsonl:2:8: \\ud83d is the first half of a surrogate pair without the other; write "
                                "both halves, as \\ud83d\\ude00, or the character itself"},
      {"{\"a\": \"\\u12g4\"}",
       "t.jsonl:2:12: \\u needs four hexadecimal digits; write it as \\u00e9, or the character itself"},
      {"{\"a\": \"\t\"}", "t.jsonl:2:8: a control character, 0x09, stands inside a text; escape it, as \\t or \\n"},
      {"{\"a\": 1, \"a\": 2}", "t.jsonl:2:10: the key \"a\" appears twice on this line; leave one out, or rename it"},
      {"{\"\": 1}", "t.jsonl:2:2: a key is empty; it is the name of a column: give it one"},
      {"{\"a\": 1} 2", "t.jsonl:2:10: something follows the object; one object per line"},
      {"{\"a\": 1 2}",
       "t.jsonl:2:9: a comma or } is expected, and here is \"2}\"; put a comma between pairs, and quotes round a text"},
      {"{a: 1}", "t.jsonl:2:2: a key in quotes is expected, and here is \"a: 1}\"; write it as \"key\": value"},
      {"[{\"a\": 1}]",
       "t.jsonl:2:1: a list begins here, and one object per line is expected; jq -c '.[]' writes a list "
       "of objects so"},
      {"7", "t.jsonl:2:1: an object in {} is expected, and here is \"7\"; write one object per line, as {\"height\": "
            "1.8, \"name\": \"Ann\"}"},
  };
  for (const auto& [line, text] : cases) EXPECT_EQ(refusal(first + line + "\n"), text);
  EXPECT_EQ(refusal("\n\n"), "t.jsonl: is empty; give at least one line with a JSON object");
  EXPECT_EQ(refusal("{}\n"), "t.jsonl: no object has a key; keys are the names of the columns");
}

TEST(JsonLines, WhatIsWrongWithACellIsNamedByTheLineOfTheFile) {
  ReadOptions numbers;
  numbers.types = {{"n", ColumnType::real}};
  const std::string text =
      "{\"t\":\"one\\ntwo\\nthree\",\"n\":1}\n\n{\"t\":\"x\",\"n\":2}\n{\"t\":\"x\",\"n\":\"three\"}\n";
  EXPECT_EQ(refusal(text, numbers).substr(0, 44), "t.jsonl:4, column n: \"three\" is not a number");
  ReadOptions few;
  few.max_columns = 2;
  EXPECT_EQ(refusal("{\"a\":1,\"b\":2,\"c\":3}", few),
            "t.jsonl:1:14: there are more than 2 keys; raise --max-columns if the file is right");
}

TEST(JsonLines, AStreamHasTheRowsOfTheWholeTable) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("recta-lines-{}.jsonl", getpid());
  {
    std::ofstream file(path);
    for (int i = 0; i < 700; ++i)
      file << fmt::format("{{\"x\": {}, \"t\": \"row\\n{}\"{}}}\n", i, i, i == 650 ? ", \"late\": true" : "");
  }
  const auto whole = read(path.string());
  ASSERT_TRUE(whole) << whole.error().text();
  EXPECT_EQ(whole->rows, 700);
  ASSERT_EQ(whole->columns.size(), 3U);
  auto stream = open_stream(path.string(), {}, 64);
  ASSERT_TRUE(stream) << stream.error().text();
  for (int again = 0; again < 2; ++again) {
    Dataset block;
    Index rows = 0;
    for (;;) {
      const auto more = (*stream)->next(block);
      ASSERT_TRUE(more) << more.error().text();
      if (!*more) break;
      for (Index i = 0; i < block.rows; ++i)
        EXPECT_EQ(block.columns[0].values[std::size_t(i)], static_cast<double>(rows + i));
      rows += block.rows;
    }
    EXPECT_EQ(rows, 700);
    ASSERT_TRUE((*stream)->rewind());
  }
  std::filesystem::remove(path);
}

TEST(JsonLines, AreKnownByTheirFirstBytes) {
  EXPECT_TRUE(looks_like_jsonl("\n {\"a\": 1}\n"));
  EXPECT_FALSE(looks_like_jsonl("{x},{y}\n1,2\n"));
  EXPECT_FALSE(looks_like_jsonl("a,b\n"));
  EXPECT_FALSE(looks_like_jsonl(""));
}

} // namespace
} // namespace recta
