#include "data/libsvm/libsvm.hpp"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace recta {
namespace {

using Numbers = std::vector<double>;
using Indices = std::vector<Index>;

Numbers numbers(const Values& values) {
  return {values.begin(), values.end()};
}

Dataset good(std::string_view text, const ReadOptions& options = {}) {
  auto data = read_libsvm(text, "t.libsvm", options);
  EXPECT_TRUE(data) << data.error().text();
  return data ? std::move(*data) : Dataset{};
}

std::string refusal(std::string_view text, const ReadOptions& options = {}) {
  auto data = read_libsvm(text, "t.libsvm", options);
  return data ? "accepted" : data.error().text();
}

void expect_equal(const Dataset& a, const Dataset& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(numbers(a.columns[0].values), numbers(b.columns[0].values));
  EXPECT_EQ(a.columns[0].type, b.columns[0].type);
  EXPECT_EQ(a.sparse.cols, b.sparse.cols);
  EXPECT_EQ(a.sparse.index_base, b.sparse.index_base);
  EXPECT_EQ(a.sparse.start, b.sparse.start);
  EXPECT_EQ(a.sparse.index, b.sparse.index);
  EXPECT_EQ(numbers(a.sparse.value), numbers(b.sparse.value));
}

class File {
public:
  explicit File(std::string_view bytes, std::string_view ending = ".libsvm")
      : path_(
            (std::filesystem::temp_directory_path() / fmt::format("recta_libsvm_{}_{}{}", getpid(), counter++, ending))
                .string()) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~File() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

private:
  static inline int counter = 0;
  std::string path_;
};

Result<std::unique_ptr<BlockReader>> stream(const File& file, Index block_rows, const ReadOptions& options = {}) {
  auto input = Input::open(file.path(), options);
  if (!input) return std::unexpected(input.error());
  return stream_libsvm(std::move(*input), options, block_rows);
}

// Rows over many parts, with comments, blank lines and empty rows between.
std::string long_text(int rows) {
  std::string text;
  for (int i = 0; i < rows; ++i) {
    if (i % 1000 == 7) text += "# a comment with 3:4 in it\n\n";
    text += fmt::format("{} qid:{}", i % 3 - 1, i / 10);
    for (int j = i % 5; j < 40; j += 1 + i % 7) text += fmt::format(" {}:{}", j + 1, (i * 31 + j) * 0.001);
    text += i % 2 ? "\n" : " # row\r\n";
  }
  return text;
}

TEST(Libsvm, reads_labels_indices_and_values) {
  const Dataset data = good("+1 1:0.5 3:-2e-3\n-1 2:7\n");
  EXPECT_EQ(data.rows, 2);
  EXPECT_EQ(data.columns[0].name, "label");
  EXPECT_EQ(data.columns[0].type, ColumnType::integer);
  EXPECT_EQ(numbers(data.columns[0].values), (Numbers{1, -1}));
  EXPECT_EQ(data.sparse.cols, 3);
  EXPECT_EQ(data.sparse.index_base, 1);
  EXPECT_EQ(data.sparse.start, (Indices{0, 2, 3}));
  EXPECT_EQ(data.sparse.index, (Indices{0, 2, 1}));
  EXPECT_EQ(numbers(data.sparse.value), (Numbers{0.5, -0.002, 7}));
  EXPECT_EQ(data.notes, (std::vector<std::string>{"indices start at 1: index 0 does not occur"}));
}

TEST(Libsvm, an_index_0_anywhere_means_that_indices_start_at_0) {
  const Dataset data = good("1 1:1\n2 0:5 4:1\n");
  EXPECT_EQ(data.sparse.index_base, 0);
  EXPECT_EQ(data.sparse.cols, 5);
  EXPECT_EQ(data.sparse.index, (Indices{1, 0, 4}));
  EXPECT_EQ(data.notes[0], "indices start at 0: index 0 occurs");
}

TEST(Libsvm, the_index_base_can_be_given) {
  ReadOptions options;
  options.index_base = 0;
  const Dataset data = good("1 1:1\n", options);
  EXPECT_EQ(data.sparse.cols, 2);
  EXPECT_EQ(data.sparse.index, (Indices{1}));
  options.index_base = 1;
  EXPECT_EQ(refusal("1 2:1\n1 0:1\n", options),
            "t.libsvm:2:3: \"0:1\" has index 0, but indices start at 1 here; pass --index-base 0");
  options.index_base = 2;
  EXPECT_EQ(refusal("1 2:1\n", options), "index base: 2 was given; indices start at 0 or at 1");
}

TEST(Libsvm, real_labels_make_a_real_column) {
  EXPECT_EQ(good("1.5\n2\n").columns[0].type, ColumnType::real);
}

TEST(Libsvm, comments_blank_lines_qid_and_rows_without_features_are_no_obstacle) {
  const Dataset data = good("# head\n\n  \t\n3 qid:1 1:1 # tail 9:9\n4\n5 # none\r\n6 2:1");
  EXPECT_EQ(numbers(data.columns[0].values), (Numbers{3, 4, 5, 6}));
  EXPECT_EQ(data.sparse.start, (Indices{0, 1, 1, 1, 2}));
  EXPECT_EQ(data.sparse.cols, 2);
}

TEST(Libsvm, a_column_first_seen_in_the_last_row_is_a_column) {
  EXPECT_EQ(good("1 1:1\n1\n0 900:1").sparse.cols, 900);
}

TEST(Libsvm, numbers_are_correctly_rounded) {
  const Dataset data =
      good("1 1:0.1 2:123456789012345678 3:-1.7976931348623157e308 4:4.9e-324 5:00.30 6:5. 7:.5 8:+2\n");
  EXPECT_EQ(numbers(data.sparse.value),
            (Numbers{0.1, 123456789012345678., -1.7976931348623157e308, 4.9e-324, 0.3, 5, 0.5, 2}));
}

TEST(Libsvm, indices_beyond_32_bits_are_kept) {
  ReadOptions options;
  options.max_columns = Index{1} << 40;
  const Dataset data = good("1 5000000000:1\n", options);
  EXPECT_EQ(data.sparse.index[0], 4999999999);
  EXPECT_EQ(data.sparse.cols, 5000000000);
}

TEST(Libsvm, refusals_name_the_line_the_column_and_the_text) {
  EXPECT_EQ(refusal("1 1:1\nx 1:1\n"), "t.libsvm:2:1: \"x\" is not a number; a row begins with its label, a number");
  EXPECT_EQ(refusal("1,2 1:1\n"), "t.libsvm:1:1: \"1,2\" is more than one label; keep one label per row, or fit sets "
                                  "of labels with --label-set label");
  EXPECT_EQ(refusal("1:1 2:1\n"),
            "t.libsvm:1:1: \"1:1\" stands where the label should be; put a label in front, 0 if there is none");
  EXPECT_EQ(refusal("1 2:1 1:1\n"), "t.libsvm:1:7: \"1:1\" follows an index that is as large or larger; "
                                    "indices must ascend within a row, each once");
  EXPECT_EQ(refusal("1 2:1 2:1\n"), "t.libsvm:1:7: \"2:1\" follows an index that is as large or larger; "
                                    "indices must ascend within a row, each once");
  EXPECT_EQ(refusal("1 2:1\n1 1:1 7\n"),
            "t.libsvm:2:7: \"7\" is not index:value; write pairs like 3:0.5, with blanks between");
  EXPECT_EQ(refusal("1 3:abc\n"),
            "t.libsvm:1:5: \"abc\" is not a number; write index:value, with numbers like 1, -0.5 or 2e-3");
  EXPECT_EQ(refusal("1 1:nan\n"), "t.libsvm:1:5: \"nan\" is not a number; LIBSVM cannot say that a value is missing: "
                                  "remove the row, or give the data as CSV");
  EXPECT_EQ(refusal("1 1:1,5\n"), "t.libsvm:1:5: \"1,5\" is not a number; write the decimal mark as a point");
  EXPECT_EQ(refusal("-inf 1:1\n"),
            "t.libsvm:1:1: \"-inf\" is not a number; infinite values cannot be used: correct it, or "
            "remove the row");
  EXPECT_EQ(refusal("1 3:1e999\n"),
            "t.libsvm:1:5: \"1e999\" is beyond the largest double; rescale the column or remove the row");
}

TEST(Libsvm, what_is_no_number_is_refused) {
  for (const char* text : {"1 1:nan\n", "1 1:inf\n", "nan 1:1\n", "1 1:1,5\n", "1 1:\n", "1 1: 2\n", "1 :2\n",
                           "1 -1:2\n", "1 1:2:3\n", "1 a:2\n", "\xff\xfe\n", "1 1:0x10\n", "1 1:--1\n", "1 qid\n"})
    EXPECT_NE(refusal(text), "accepted") << text;
  EXPECT_NE(refusal(std::string_view("1 1:1\0 2:3\n", 11)), "accepted");
}

TEST(Libsvm, empty_files_and_files_of_comments_have_no_rows) {
  for (const char* text : {"", "\n", "# only\n", "  "})
    EXPECT_EQ(refusal(text), "t.libsvm: there are no rows in it; a row is a label, then pairs like 3:0.5") << text;
}

TEST(Libsvm, columns_are_limited) {
  ReadOptions options;
  options.max_columns = 10;
  EXPECT_EQ(good("1 10:1\n", options).sparse.cols, 10);
  EXPECT_EQ(refusal("1 3:1\n1 1:1 11:1\n", options), "t.libsvm:2:7: \"11:1\" is beyond the limit of 10 columns; "
                                                     "raise --max-columns if the file is right");
  EXPECT_EQ(refusal("1 0:1 10:1\n", options),
            "t.libsvm: it has 11 columns, more than the limit of 10; pass --max-columns 11 to allow it");
  EXPECT_NE(refusal("1 99999999999999999999999:1\n").find("beyond the limit"), std::string::npos);
}

TEST(Libsvm, memory_is_limited_before_it_is_asked_for) {
  ReadOptions options;
  options.max_memory = 100;
  EXPECT_NE(refusal(long_text(100), options).find("more than the limit of 100"), std::string::npos);
}

TEST(Libsvm, a_large_index_in_a_small_file_is_refused_by_what_its_columns_need) {
  const std::string text = "1 5:1 9999999:2\n2 1:3\n";
  EXPECT_EQ(refusal(text),
            "t.libsvm: its largest index makes 9999999 columns, which need 5119999488 bytes at 512 each, "
            "more than the limit of 67109216; raise --max-memory if the index is right");
  EXPECT_EQ(good("1 1048576:1\n").sparse.cols, 1 << 20); // a few rows of words hashed to 20 bits
  EXPECT_NE(refusal("1 1048577:1\n").find("1048577 columns"), std::string::npos);
  ReadOptions options;
  options.max_memory = std::uint64_t{6} << 30;
  EXPECT_EQ(good(text, options).sparse.cols, 9999999);
  options.max_memory = 100 << 20;
  EXPECT_NE(refusal(text, options).find("more than the limit of 104857600"), std::string::npos);
  const File file(text);
  const auto streamed = stream(file, 1, options);
  ASSERT_FALSE(streamed);
  EXPECT_NE(streamed.error().text().find("9999999 columns, which need 5119999488 bytes"), std::string::npos);
}

TEST(Libsvm, many_columns_are_no_surprise_in_a_file_with_many_numbers) {
  std::string text;
  for (Index i = 1; i <= 100'000; ++i) {
    text += "1";
    for (Index k = 0; k < 3; ++k) text += fmt::format(" {}:1 {}:0.25", i + k * 400'000, i + k * 400'000 + 200'000);
    text += '\n';
  }
  EXPECT_EQ(refusal(text).substr(0, 42), "t.libsvm: its largest index makes 1100000 ");
  for (int again = 0; again < 4; ++again) text += text.substr(0, text.size() / (again + 1));
  EXPECT_EQ(good(text).sparse.cols, 1'100'000);
}

TEST(Libsvm, one_and_several_threads_give_the_same_table) {
  const std::string text = long_text(30000); // several parts
  ReadOptions options;
  options.threads = 1;
  const Dataset one = good(text, options);
  EXPECT_EQ(one.rows, 30000);
  options.threads = 3;
  expect_equal(one, good(text, options));
}

TEST(Libsvm, the_first_of_several_faults_is_reported_at_any_number_of_threads) {
  std::string text = long_text(30000);
  text += "1 x\n" + long_text(30000) + "1 y\n";
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("1 x")), '\n') + 1;
  for (int threads : {1, 2}) {
    ReadOptions options;
    options.threads = threads;
    EXPECT_TRUE(refusal(text, options).starts_with(fmt::format("t.libsvm:{}:3: \"x\"", line)));
  }
}

TEST(Libsvm, blocks_together_are_the_whole_table) {
  const File file(long_text(2500));
  auto reader = stream(file, 1000);
  ASSERT_TRUE(reader) << reader.error().text();
  const Dataset whole = good(long_text(2500));
  EXPECT_EQ((*reader)->header().sparse.cols, whole.sparse.cols);
  EXPECT_EQ((*reader)->header().rows, 0);
  for (int round = 0; round < 2; ++round) {
    Dataset all, block;
    all.sparse.start = {0};
    all.columns.resize(1);
    std::vector<Index> sizes;
    while (true) {
      auto more = (*reader)->next(block);
      ASSERT_TRUE(more) << more.error().text();
      if (!*more) break;
      EXPECT_EQ(block.first_row, all.rows);
      sizes.push_back(block.rows);
      all.rows += block.rows;
      const Index before = all.sparse.start.back();
      for (Index i = 1; i <= block.rows; ++i)
        all.sparse.start.push_back(before + block.sparse.start[static_cast<std::size_t>(i)]);
      all.sparse.index.insert(all.sparse.index.end(), block.sparse.index.begin(), block.sparse.index.end());
      all.sparse.value.insert(all.sparse.value.end(), block.sparse.value.begin(), block.sparse.value.end());
      all.columns[0].values.insert(all.columns[0].values.end(), block.columns[0].values.begin(),
                                   block.columns[0].values.end());
    }
    all.columns[0].type = ColumnType::integer;
    all.sparse.cols = block.sparse.cols;
    expect_equal(all, whole);
    EXPECT_EQ(sizes, (Indices{1000, 1000, 500}));
    ASSERT_TRUE((*reader)->rewind());
  }
}

TEST(Libsvm, a_stream_knows_columns_and_base_that_appear_at_the_end) {
  const File file("1 1:1\n1 2:1\n1 0:1 50:1");
  auto reader = stream(file, 1);
  ASSERT_TRUE(reader);
  EXPECT_EQ((*reader)->header().sparse.cols, 51);
  EXPECT_EQ((*reader)->header().sparse.index_base, 0);
  Dataset block;
  ASSERT_TRUE(*(*reader)->next(block));
  EXPECT_EQ(block.sparse.index, (Indices{1}));
}

// Like standard input: read once.
class Once final : public Input {
public:
  explicit Once(std::string bytes) : Input("-", 0), bytes_(std::move(bytes)) {}
  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t size = std::min(buffer.size(), bytes_.size() - at_);
    std::copy_n(bytes_.data() + at_, size, buffer.data());
    at_ += size;
    return size;
  }
  Result<void> rewind() override { return fail(ErrorCode::usage, "-", "cannot be read twice"); }

private:
  std::string bytes_;
  std::size_t at_ = 0;
};

TEST(Libsvm, of_what_is_read_once_the_first_block_tells_the_base) {
  auto reader = stream_libsvm(std::make_unique<Once>("1 2:1\n2 3:1\n3 9:1\n4 0:1\n"), {}, 2);
  ASSERT_TRUE(reader) << reader.error().text();
  EXPECT_EQ((*reader)->header().sparse.cols, 3);
  Dataset block;
  ASSERT_TRUE(*(*reader)->next(block));
  EXPECT_EQ(numbers(block.columns[0].values), (Numbers{1, 2}));
  EXPECT_EQ(block.sparse.index, (Indices{1, 2}));
  const auto second = (*reader)->next(block);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().text(), "-:4:3: \"0:1\" has index 0, but indices start at 1 here; pass --index-base 0");
  ReadOptions options;
  options.index_base = 0;
  reader = stream_libsvm(std::make_unique<Once>("1 2:1\n2 3:1\n3 9:1\n4 0:1\n"), options, 2);
  ASSERT_TRUE(*(*reader)->next(block));
  ASSERT_TRUE(*(*reader)->next(block));
  EXPECT_EQ(block.sparse.cols, 10);
  EXPECT_FALSE(*(*reader)->next(block));
}

TEST(Libsvm, a_byte_order_mark_before_a_comment_is_no_row) {
  const std::string text = "\xEF\xBB\xBF# c\n1 1:1\n2 1:1\n";
  EXPECT_EQ(good(text).rows, 2);
  const File file(text);
  auto reader = stream(file, 1);
  Dataset block;
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(*(*reader)->next(block));
    EXPECT_EQ(numbers(block.columns[0].values), (Numbers{1}));
    ASSERT_TRUE(*(*reader)->next(block));
    EXPECT_EQ(block.first_row, 1);
    EXPECT_FALSE(*(*reader)->next(block));
    ASSERT_TRUE((*reader)->rewind());
  }
}

TEST(Libsvm, a_stream_reports_the_line_of_a_fault) {
  const File file("1 1:1\n# c\n\n1 1:1\n1 1:z\n");
  auto reader = stream(file, 1);
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().where, file.path() + ":5:5");
}

TEST(Libsvm, what_is_written_reads_back_the_same) {
  for (const char* text : {"1 1:0.1 3:1e-300 900:-7\n-2.5\n3 2:12345678901234567\n", "0 0:5 1:0.30000000000000004\n"}) {
    const Dataset data = good(text);
    const File file("");
    ASSERT_TRUE(write_libsvm(data, file.path(), ""));
    std::ifstream in(file.path(), std::ios::binary);
    expect_equal(good(std::string((std::istreambuf_iterator<char>(in)), {})), data);
  }
}

TEST(Libsvm, a_category_is_written_as_the_position_of_its_class) {
  Dataset data;
  data.rows = 2;
  data.columns.resize(1);
  data.columns[0].name = "species";
  data.columns[0].type = ColumnType::category;
  data.columns[0].levels = {"a", "b"};
  data.columns[0].codes = {1, 0};
  const File file("");
  ASSERT_TRUE(write_libsvm(data, file.path(), "species"));
  std::ifstream in(file.path());
  EXPECT_EQ(std::string((std::istreambuf_iterator<char>(in)), {}), "1\n0\n");
  data.columns[0].codes[1] = -1;
  EXPECT_EQ(write_libsvm(data, file.path(), "species").error().what, "the label is missing or not a number");
}

TEST(Libsvm, dense_columns_are_written_without_zeros) {
  Dataset data;
  data.rows = 2;
  data.columns.resize(3);
  data.columns[0].name = "a";
  data.columns[0].values = {0, 0.1};
  data.columns[1].name = "y";
  data.columns[1].values = {1, -1};
  data.columns[2].name = "b";
  data.columns[2].values = {1e-300, 0};
  const File file("");
  ASSERT_TRUE(write_libsvm(data, file.path(), "y"));
  std::ifstream in(file.path());
  EXPECT_EQ(std::string((std::istreambuf_iterator<char>(in)), {}), "1 2:1e-300\n-1 1:0.1\n");
  EXPECT_EQ(write_libsvm(data, file.path(), "z").error().what, "there is no column \"z\" to use as label");
  data.columns[0].values[1] = std::nan("");
  EXPECT_EQ(write_libsvm(data, file.path(), "y").error().what, "a missing value has no form in a LIBSVM file");
}

TEST(Libsvm, content_is_recognised) {
  EXPECT_TRUE(looks_like_libsvm("# c\n\n-1 3:1 5:1\nwhat"));
  EXPECT_TRUE(looks_like_libsvm("1 0:1"));
  EXPECT_FALSE(looks_like_libsvm("1 2 3\n"));
  EXPECT_FALSE(looks_like_libsvm("a,b\n1,2\n"));
  EXPECT_FALSE(looks_like_libsvm("12:30,4\n"));
  EXPECT_FALSE(looks_like_libsvm(""));
}

} // namespace
} // namespace recta
