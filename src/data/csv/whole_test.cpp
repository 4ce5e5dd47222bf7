// A table is the same, and so is what is wrong with it, whatever the window that moves over its text.
#include "data/csv/pieces.hpp"
#include "data/csv/whole.hpp"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace recta::csv {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

// Bytes whose number is not known before they end, or is.
class MemoryInput final : public Input {
public:
  MemoryInput(std::string_view bytes, bool sized) : Input("t.csv", 0), bytes_(bytes), sized_(sized) {}
  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t size = std::min(buffer.size(), bytes_.size() - at_);
    std::copy_n(bytes_.data() + at_, size, buffer.data());
    at_ += size;
    return size;
  }
  std::size_t size() const override { return sized_ ? bytes_.size() : 0; }
  Result<void> rewind() override { return {}; }

private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool sized_;
};

std::string cell(const Column& column, std::size_t i) {
  if (column.type == ColumnType::text) return column.levels[i];
  if (column.type == ColumnType::category) return column.codes[i] < 0 ? "(none)" : column.levels[column.codes[i]];
  return fmt::format("{}", column.values[i]);
}

// All that a caller can see of a table, or its error.
std::string shown(const Result<Dataset>& data) {
  if (!data) return data.error().text();
  std::string all;
  for (const Column& column : data->columns) {
    all += fmt::format("{} {}:", column.name, static_cast<int>(column.type));
    EXPECT_EQ(column.rows(), data->rows);
    for (std::size_t i = 0; i < static_cast<std::size_t>(data->rows); ++i) all += " " + cell(column, i);
    all += "\n";
  }
  return all;
}

std::string read_by(TextWindow window, std::size_t bytes, int threads) {
  ReadOptions options;
  options.threads = threads;
  return shown(read_table(window, "t.csv", options, bytes));
}

const std::vector<std::string> kTexts = {
    "a,b\n1,2\n3,4\n",
    "a,b\r\n1,2\r\n\r\n3,4\r\n5,6",
    "a,b\r1,2\r3,4\r",
    "x,note\n1,\"p\nq\"\n2,\"say \"\"hi\"\"\"\n\n3,\"\"\"\"\n4,plain\n",
    "x,c\n1.5,l1\n,l2\n7,\n-2e3,l1\n",
    "\n \na;b\n1,5;2\n2,25;3\n",
    " 1 2  3\n4\t5 6 \n7 8 9",
    "a,b\n1,2\n3\n4,5\n",
    "a,b\n1,x\n2,\"open\n3,y\n4,z\n",
    "a,b\n1,x\n2,\"p\"q\n3,y\n",
    "a,b\n1,2\n\"\n\n\",3\n5,oops\n1,2\n3,4\n5,6\n7,8\n9,1\n",
    "a,b\n\n\n1,2\n3,4\n5,6\n7,8\n9,1\n5,oops\n",
    "a,b\n",
    "",
};

TEST(WholeTable, IsTheSameWhateverTheWindow) {
  for (const std::string& text : kTexts) {
    const std::string expected = read_by(TextWindow(text), 1 << 20, 1);
    for (std::size_t bytes = 1; bytes < 40; ++bytes)
      for (const int threads : {1, 3}) {
        EXPECT_EQ(read_by(TextWindow(text), bytes, threads), expected) << bytes;
        for (const bool sized : {true, false}) {
          MemoryInput input(text, sized);
          EXPECT_EQ(read_by(TextWindow(input), bytes, threads), expected) << bytes << sized;
        }
      }
  }
}

// Longer than a sample, so that windows are refilled; rows of all lengths, levels that come late.
std::string long_text(int rows) {
  std::string text = "i,x,c,note\n";
  for (int i = 0; i < rows; ++i)
    text += fmt::format("{},{},{}l{},\"{}\n{}\"\n", i, i * 0.37, std::string(i % 7, ' '), i % (i < rows / 2 ? 5 : 50),
                        std::string(i % 97, 'n'), i);
  return text;
}

TEST(WholeTable, LongerThanItsWindowsIsReadWholeAtAnyNumberOfThreads) {
  const std::string text = long_text(60'000);
  ASSERT_GT(text.size(), 3 * (std::size_t{1} << 20));
  const std::string expected = read_by(TextWindow(text), text.size(), 1);
  EXPECT_THAT(expected, StartsWith("i 1: 0 1 2 3 4 5 "));
  for (const std::size_t bytes : {std::size_t{1000}, kPieceBytes - 1, kPieceBytes, 5 * kPieceBytes + 17})
    for (const int threads : {1, 2, 4})
      for (const bool sized : {true, false}) {
        MemoryInput input(text, sized);
        EXPECT_EQ(read_by(TextWindow(input), bytes, threads), expected) << bytes << " " << threads << sized;
      }
}

TEST(WholeTable, WhoseRowsGetShorterHasRoomForAll) {
  std::string text = "a,b\n";
  for (int i = 0; i < 20'000; ++i) text += fmt::format("{:0100},{}\n", 1, i);
  for (int i = 0; i < 400'000; ++i) text += fmt::format("{},{}\n", i % 10, i % 10);
  MemoryInput input(text, true);
  TextWindow window(input);
  const auto data = read_table(window, "t.csv", {});
  ASSERT_TRUE(data) << data.error().text();
  ASSERT_EQ(data->rows, 420'000);
  for (int i = 0; i < 420'000; ++i)
    ASSERT_EQ(data->columns[1].values[static_cast<std::size_t>(i)], i < 20'000 ? i : (i - 20'000) % 10) << i;
}

// Column c is empty for longer than the sample; `values` stand in its last rows.
std::string empty_at_first(const std::vector<std::string>& values) {
  std::string text = "i,c,d,k\n";
  for (int i = 0; i < 30'000; ++i) text += fmt::format("{},,,{}\n", i, i % 3 ? "red" : "blue");
  for (std::size_t i = 0; i < values.size(); ++i) text += fmt::format("{},{},{},red\n", i, values[i], i % 2 ? "7" : "");
  return text;
}

TEST(WholeTable, AColumnThatIsEmptyInTheSampleIsACategoryWhereItsFirstValueIsAWord) {
  for (const std::vector<std::string>& values : {std::vector<std::string>{"", "dog", "cat", "3", "dog"}, {"dog"}}) {
    const std::string text = empty_at_first(values);
    const std::string expected = read_by(TextWindow(text), text.size(), 1);
    EXPECT_THAT(expected, HasSubstr("\nc 2: (none) "));
    EXPECT_THAT(expected, HasSubstr(values.size() == 1 ? " (none) dog\nd 0: " : " (none) dog cat 3 dog\nd 0: "));
    for (const std::size_t bytes : {std::size_t{1000}, kPieceBytes - 1, kPieceBytes, text.size() / 2})
      for (const int threads : {1, 2, 4}) {
        MemoryInput input(text, false);
        EXPECT_EQ(read_by(TextWindow(input), bytes, threads), expected) << bytes << " " << threads;
      }
  }
}

TEST(WholeTable, AColumnThatIsEmptyInTheSampleHoldsNumbersWhereItsFirstValueIsOne) {
  const std::string text = empty_at_first({"4", "dog"});
  const std::string expected = read_by(TextWindow(text), text.size(), 1);
  EXPECT_THAT(expected, StartsWith("t.csv:30003:2, column c: \"dog\" is not a number; correct it, or pass --types "));
  for (const std::size_t bytes : {std::size_t{1000}, kPieceBytes})
    for (const int threads : {1, 2}) EXPECT_EQ(read_by(TextWindow(text), bytes, threads), expected);
  EXPECT_THAT(read_by(TextWindow(empty_at_first({"inf"})), 1000, 1), HasSubstr("infinite values cannot be used"));
  ReadOptions options;
  options.types["c"] = ColumnType::real;
  TextWindow window(text);
  EXPECT_FALSE(read_table(window, "t.csv", options));
}

TEST(WholeTable, ErrorsNameTheLineHoweverManyWindowsCameBefore) {
  for (const char* end : {"\n", "\r\n", "\r"}) {
    std::string text = std::string("a,b") + end;
    for (int i = 0; i < 300'000; ++i) text += fmt::format("{},{}{}{}", i, i % 9, end, i % 100 ? "" : end);
    text += std::string("1,oops") + end;
    const int line = 2 + 300'000 + 3'000;
    for (const int threads : {1, 2}) {
      MemoryInput input(text, true);
      EXPECT_THAT(read_by(TextWindow(input), kPieceBytes, threads),
                  StartsWith(fmt::format("t.csv:{}:2, column b: \"oops\" is not a number", line)));
    }
  }
}

TEST(WholeTable, ThatWouldBeTooLargeIsRefusedWhenItIsForeseen) {
  std::string text = "a,b\n";
  for (int i = 0; i < 500'000; ++i) text += "1,2\n";
  ReadOptions options;
  options.max_memory = 6 << 20; // 8 MB of numbers
  MemoryInput input(text, true);
  TextWindow window(input);
  const auto data = read_table(window, "t.csv", options, 100'000);
  ASSERT_FALSE(data);
  EXPECT_THAT(data.error().text(), StartsWith("t.csv: about 500000 rows of 2 columns need 8 MiB, more than the limit"));
  EXPECT_LT(window.end(), text.size());
}

TEST(WholeTable, MayBeMadeOfMoreTextThanMemoryAllows) {
  const fs::path path = fs::temp_directory_path() / fmt::format("recta_whole_{}.csv", ::getpid());
  {
    std::ofstream out(path, std::ios::binary);
    for (int i = 0; i < 20'000; ++i) out << fmt::format("{:0400},{}\n", 0, i); // 8 MB for 0.3 MB of numbers
  }
  for (const int threads : {1, 2}) {
    ReadOptions options;
    options.max_memory = 6 << 20;
    options.threads = threads;
    const auto data = recta::read(path.string(), options);
    ASSERT_TRUE(data) << data.error().text();
    EXPECT_EQ(data->rows, 20'000);
    EXPECT_EQ(data->columns[1].values.back(), 19'999);
  }
  fs::remove(path);
}

} // namespace
} // namespace recta::csv
