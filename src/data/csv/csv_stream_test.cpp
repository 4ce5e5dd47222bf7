#include "data/csv/csv.hpp"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace recta {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

struct CsvStream : testing::Test {
  fs::path path = fs::temp_directory_path() / fmt::format("recta_stream_{}.csv", ::getpid());
  ~CsvStream() override { fs::remove(path); }

  Result<std::unique_ptr<BlockReader>> open(const std::string& text, Index block_rows,
                                            const ReadOptions& options = {}) {
    std::ofstream(path, std::ios::binary) << text;
    auto input = Input::open(path.string());
    EXPECT_TRUE(input);
    return stream_csv(std::move(*input), options, block_rows);
  }
};

std::string cell(const Column& column, Index i) {
  if (column.numeric()) return std::isnan(column.values[i]) ? "nan" : fmt::format("{}", column.values[i]);
  if (column.type == ColumnType::text) return column.levels[i];
  return column.codes[i] < 0 ? "missing" : column.levels[column.codes[i]];
}

std::string quoted_table(int rows) {
  std::string text = "a,b,c\r\n";
  for (int i = 0; i < rows; ++i)
    text += fmt::format("{},{},\"k {}\r\n,{}\"\"\"{}", i * 0.37, i % 11 ? "5" : "NA", i % 100, i % 7,
                        i % 3 ? "\r\n" : "\n\n");
  return text;
}

TEST_F(CsvStream, BlocksHoldTheRowsOfTheWholeTable) {
  const std::string text = quoted_table(20'000);
  auto whole = read_csv(text, "t.csv", {});
  ASSERT_TRUE(whole) << whole.error().text();
  for (const Index block_rows : {1, 7, 1024, 100'000}) {
    auto stream = open(block_rows == 1 ? quoted_table(2000) : text, block_rows);
    ASSERT_TRUE(stream) << stream.error().text();
    Dataset block;
    Index row = 0;
    while (true) {
      auto more = (*stream)->next(block);
      ASSERT_TRUE(more) << more.error().text();
      if (!*more) break;
      ASSERT_EQ(block.first_row, row);
      for (Index i = 0; i < block.rows; ++i, ++row)
        for (int j = 0; j < 3; ++j) ASSERT_EQ(cell(block.columns[j], i), cell(whole->columns[j], row)) << row;
    }
    EXPECT_EQ(row, block_rows == 1 ? 2000 : 20'000);
  }
}

TEST_F(CsvStream, AColumnThatIsEmptyInTheSampleIsWhatItsFirstValueSays) {
  std::string text = "i,c,d,e\n";
  for (int i = 0; i < 30'000; ++i) text += fmt::format("{},,,\n", i);
  auto stream = open(text + "1,dog,4,\n2,,5,\n3,cat,6,\n", 1000);
  ASSERT_TRUE(stream) << stream.error().text();
  EXPECT_EQ((*stream)->header().columns[1].type, ColumnType::category);
  EXPECT_EQ((*stream)->header().columns[2].type, ColumnType::real);
  EXPECT_EQ((*stream)->header().columns[3].type, ColumnType::real); // empty to the end
  for (int pass = 0; pass < 2; ++pass) {
    Dataset block;
    Index rows = 0;
    while (true) {
      Dataset next;
      auto more = (*stream)->next(next);
      ASSERT_TRUE(more) << more.error().text();
      if (!*more) break;
      rows += next.rows;
      block = std::move(next);
    }
    EXPECT_EQ(rows, 30'003);
    EXPECT_EQ(cell(block.columns[1], 0), "dog");
    EXPECT_EQ(cell(block.columns[1], 1), "missing");
    EXPECT_EQ(cell(block.columns[1], 2), "cat");
    ASSERT_TRUE((*stream)->rewind());
  }
}

TEST_F(CsvStream, EveryBlockButTheLastHasExactlyTheRowsAskedFor) {
  auto stream = open("x\n1\n\n2\n3\r\n4\n5", 2);
  ASSERT_TRUE(stream);
  RawBlock block;
  std::vector<Index> rows, lines;
  while (*(*stream)->claim(block)) rows.push_back(block.rows), lines.push_back(block.line);
  EXPECT_THAT(rows, ElementsAre(2, 2, 1));
  EXPECT_THAT(lines, ElementsAre(2, 5, 7));
}

TEST_F(CsvStream, BlocksCanBeParsedInAnyOrder) {
  auto stream = open("x\n1\n2\n3\n4\n", 2);
  ASSERT_TRUE(stream);
  RawBlock first, second;
  ASSERT_TRUE(*(*stream)->claim(first) && *(*stream)->claim(second));
  Dataset rows;
  ASSERT_TRUE((*stream)->parse(second, rows));
  EXPECT_THAT(rows.columns[0].values, ElementsAre(3, 4));
  ASSERT_TRUE((*stream)->parse(first, rows));
  EXPECT_THAT(rows.columns[0].values, ElementsAre(1, 2));
}

TEST_F(CsvStream, RewindingStartsAgainAtTheFirstRow) {
  std::string text = "x,y\n";
  for (int i = 0; i < 3000; ++i) text += fmt::format("{},2\n", i);
  auto stream = open(text, 1000);
  ASSERT_TRUE(stream);
  for (int pass = 0; pass < 3; ++pass) {
    Dataset block;
    Index rows = 0;
    while (*(*stream)->next(block)) {
      EXPECT_EQ(block.columns[0].values[5], static_cast<double>(rows + 5));
      rows += block.rows;
    }
    EXPECT_EQ(rows, 3000);
    ASSERT_TRUE((*stream)->rewind());
  }
}

TEST_F(CsvStream, ErrorsNameTheLineOfTheFile) {
  std::string text = "x,y\n";
  for (int i = 0; i < 30'000; ++i) text += i == 29'000 ? "1,\"two\nlines\"\r\n" : "1,2\r\n";
  ReadOptions options;
  options.types["y"] = ColumnType::real;
  auto stream = open(text, 1000, options);
  ASSERT_TRUE(stream);
  Dataset block;
  Result<bool> more = true;
  while (more && *more) more = (*stream)->next(block);
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().where, path.string() + ":29002:2, column y");
}

TEST_F(CsvStream, AnIntegerColumnIsRealInTheBlockWhereItIsNotInteger) {
  std::string text = "x\n";
  for (int i = 0; i < 12'000; ++i) text += "1\n";
  auto stream = open(text + "0.5\n", 12'000);
  ASSERT_TRUE(stream);
  Dataset block;
  ASSERT_TRUE(*(*stream)->next(block));
  EXPECT_EQ(block.columns[0].type, ColumnType::integer);
  ASSERT_TRUE(*(*stream)->next(block));
  EXPECT_EQ(block.columns[0].type, ColumnType::real);
}

TEST_F(CsvStream, LevelsAreThoseOfTheBlock) {
  auto stream = open("x,c\n1,b\n2,a\n3,b\n4,c\n5,c\n6,\n", 3);
  ASSERT_TRUE(stream);
  Dataset block;
  ASSERT_TRUE(*(*stream)->next(block));
  EXPECT_THAT(block.columns[1].levels, ElementsAre("a", "b"));
  ASSERT_TRUE(*(*stream)->next(block));
  EXPECT_THAT(block.columns[1].levels, ElementsAre("c"));
  EXPECT_THAT(block.columns[1].codes, ElementsAre(0, 0, -1));
}

TEST_F(CsvStream, EmptyFilesAndHeadersAloneAreRefused) {
  EXPECT_EQ(open("", 10).error().what, "is empty");
  auto stream = open("a,b\n", 10);
  ASSERT_TRUE(stream);
  Dataset block;
  EXPECT_EQ((*stream)->next(block).error().what, "there are no data rows");
}

TEST_F(CsvStream, ARowLongerThanMemoryAllowsIsRefused) {
  ReadOptions options;
  options.max_memory = 1 << 20;
  auto stream = open("a,b\n1,\"" + std::string(20 << 20, 'x'), 10, options);
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().what, "a row is longer than 1 MiB");
}

TEST_F(CsvStream, TheLineOfARowThatIsTooLongIsItsOwnAndNotThatOfItsBlock) {
  ReadOptions options;
  options.max_memory = 1 << 20;
  std::string text = "a,b\n";
  for (int i = 0; i < 300'000; ++i) text += "1,2\n";
  auto stream = open(text + "1,\"" + std::string(20 << 20, 'x'), 1'000'000, options);
  ASSERT_TRUE(stream) << stream.error().text();
  Dataset block;
  const auto more = (*stream)->next(block);
  ASSERT_FALSE(more);
  EXPECT_TRUE(more.error().where.ends_with(":300002")) << more.error().where;
}

TEST_F(CsvStream, ALongRowIsReadWhenItFits) {
  auto stream = open("a,b\n1,\"" + std::string(9 << 20, 'x') + "\"\n2,y\n", 10);
  ASSERT_TRUE(stream) << stream.error().text();
  Dataset block;
  ASSERT_TRUE(*(*stream)->next(block));
  EXPECT_EQ(block.rows, 2);
}

} // namespace
} // namespace recta
