// P8: reading any file takes at most 16 times its (expanded) bytes and 64 MiB, or is refused by a limit that it states.
// Every shape is read by a child process, whose largest memory the system tells.
#include <recta/dataset.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

// There where the program is linked with a sanitizer, whether this file was compiled with it or not.
extern "C" {
[[gnu::weak]] void __asan_init();
[[gnu::weak]] void __tsan_init();
}

namespace recta {
namespace {

bool sanitized() {
  return &__asan_init != nullptr || &__tsan_init != nullptr;
}

namespace fs = std::filesystem;

constexpr std::size_t kSize = 10 << 20; // of a file: large against what a process takes anyway

// Texts that are all distinct: numbers in letters and digits, the first one a letter.
std::string letters(std::size_t number, std::size_t width) {
  static const std::string kSigns = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  std::string text(width, 'a');
  for (std::size_t k = width; k-- > 0; number /= kSigns.size()) text[k] = kSigns[number % kSigns.size()];
  return text;
}

std::string repeated(const std::string& begin, const std::string& line, std::size_t size = kSize) {
  std::string text = begin;
  while (text.size() < size) text += line;
  return text;
}

std::string distinct(std::size_t columns, const std::string& quote, std::size_t width) {
  std::string text;
  for (std::size_t j = 0; j < columns; ++j) text += (j ? ",n" : "n") + std::to_string(j);
  for (std::size_t k = 0; text.size() < kSize; ++k) {
    text += k % columns ? "," : "\n";
    text += quote + letters(k, width) + quote;
  }
  return text.substr(0, text.rfind('\n') + 1);
}

// `rows` lines of as many cells as fill the size.
std::string wide(const std::string& cell, std::size_t rows, std::size_t size = kSize) {
  std::string line = cell;
  while (line.size() < size / rows) line += "," + cell;
  std::string text;
  for (std::size_t i = 0; i < rows; ++i) text += line + "\n";
  return text;
}

std::string npy(const char* type, std::size_t item, bool fortran, std::size_t rows, std::size_t cols) {
  std::string head = std::string("{'descr': '") + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
                     ", 'shape': (" + std::to_string(rows) + ", " + std::to_string(cols) + "), }";
  head.resize(118, ' ');
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + head + std::string(rows * cols * item, '\1');
}

std::string arff(const std::string& attributes, const std::string& row, std::size_t size = kSize) {
  return repeated("@relation r\n" + attributes + "@data\n", row, size);
}

std::string arff_levels() {
  std::string text = "@relation r\n@attribute a {" + letters(0, 4);
  for (std::size_t k = 1; text.size() < kSize; ++k) text += "," + letters(k, 4);
  return text + "}\n@data\naaaa\n";
}

std::string arff_attributes() {
  std::string text = "@relation r\n";
  for (std::size_t k = 0; text.size() < kSize; ++k) text += "@attribute " + letters(k, 4) + " real\n";
  return text + "@data\n{}\n";
}

struct Shape {
  std::string name, text;
  bool refused = false; // by its limit, whatever the number of threads
  ReadOptions options = {};
};

std::vector<std::function<Shape()>> shapes() {
  const auto typed = [](ColumnType type) {
    ReadOptions options;
    options.header = true;
    options.types["n0"] = type;
    return options;
  };
  return {
      [] { return Shape{"levels.csv", distinct(1, "", 5)}; },
      [] { return Shape{"levels_short.csv", distinct(1, "", 4)}; },
      [] { return Shape{"levels_quoted.csv", distinct(1, "\"", 4)}; },
      [] { return Shape{"levels_in_nine_columns.tsv", distinct(9, "", 4), false, {.separator = ','}}; },
      [typed] { return Shape{"levels_long.csv", distinct(1, "", 20), false, typed(ColumnType::category)}; },
      [typed] { return Shape{"texts_long.csv", distinct(1, "", 20), false, typed(ColumnType::text)}; },
      [typed] { return Shape{"texts_short.csv", repeated("n0\n", "ab\n"), false, typed(ColumnType::text)}; },
      [typed] { return Shape{"number_levels.csv", repeated("n0\n", "1\n2.5\n"), false, typed(ColumnType::category)}; },
      [] { return Shape{"digits.csv", repeated("a,b,c\n", "1,2,3\n")}; },
      [] { return Shape{"characters.csv", repeated("a,b,c\n", "x,y,z\n")}; },
      [] { return Shape{"empty_cells.csv", repeated("a,b,c\n1,2,3\n", ",,\n")}; },
      [] { return Shape{"tiny_rows.csv", repeated("a\n", "1\n")}; },
      [] { return Shape{"blank_lines.csv", repeated("a\n1\n", "\n")}; },
      [] { return Shape{"quotes.csv", repeated("a,b\n", "\"x\"\"y\",\"1\"\n")}; },
      [] { return Shape{"long_cells.csv", repeated("a,b\n", "1," + std::string(1 << 20, 'x') + "\n")}; },
      [] { return Shape{"one_cell.csv", "a\n" + std::string(kSize, 'x') + "\n"}; },
      [] { return Shape{"one_row.csv", wide("1", 1), true}; },
      [] { return Shape{"two_rows_of_names.csv", wide("a", 2), true}; },
      [] { return Shape{"wide.csv", wide("1", 100)}; },
      [] { return Shape{"wide_levels.csv", wide("a", 100)}; },
      [] { return Shape{"wide_small.csv", wide("1", 2, 100'000)}; },
      [] { return Shape{"wide_small_levels.csv", wide("a", 2, 100'000)}; },
      [] { return Shape{"wide_at_the_limit.csv", wide("1", 2, 800'000)}; },
      [] { return Shape{"wide_levels_at_the_limit.csv", wide("a", 2, 250'000)}; },
      [] { return Shape{"wide_levels_beyond.csv", wide("a", 2, 600'000), true}; },
      [] { return Shape{"wide_beyond.csv", wide("1", 2, 1'200'000), true}; },
      [] { return Shape{"wider_rows.csv", wide("1", 12, 6 << 20)}; },
      [] { return Shape{"labels.libsvm", repeated("", "1\n")}; },
      [] { return Shape{"pairs.libsvm", repeated("", "1 1:1 2:2 3:3\n")}; },
      [] { return Shape{"comments.libsvm", repeated("", "1 #1:1:1:1:1\n")}; },
      [] { return Shape{"numbers.arff", arff("@attribute a real\n", "1\n")}; },
      [] { return Shape{"strings.arff", arff("@attribute a string\n", "ab\n")}; },
      [] { return Shape{"sparse.arff", arff("@attribute a real\n@attribute b real\n", "{}\n")}; },
      [] { return Shape{"levels.arff", arff_levels()}; },
      [] { return Shape{"attributes.arff", arff_attributes()}; },
      [] { return Shape{"bytes.npy", npy("|u1", 1, false, kSize, 1)}; },
      [] { return Shape{"doubles.npy", npy("<f8", 8, false, kSize / 64, 8)}; },
      [] { return Shape{"fortran.npy", npy("<i2", 2, true, kSize / 16, 8)}; },
      [] { return Shape{"one_row.npy", npy("|u1", 1, false, 1, 9'000'000), true}; },
      [] { return Shape{"wide.npy", npy("|u1", 1, false, 100, kSize / 100)}; },
  };
}

enum Exit : int { kRead = 10, kRefused, kFailed };

int read_in_child(const std::string& path, const ReadOptions& options, std::size_t& peak, std::string& said) {
  int ends[2];
  if (::pipe(ends) != 0) return kFailed;
  const pid_t child = ::fork();
  if (child == 0) {
    const auto data = read(path, options);
    const std::string text = data ? "" : data.error().text();
    [[maybe_unused]] const auto written = ::write(ends[1], text.data(), std::min<std::size_t>(text.size(), 4000));
    ::_exit(data ? kRead : text.find("more than") != text.npos ? kRefused : kFailed);
  }
  ::close(ends[1]);
  char buffer[4000];
  for (ssize_t got; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    said.append(buffer, static_cast<std::size_t>(got));
  ::close(ends[0]);
  int status = 0;
  rusage used{};
  ::wait4(child, &status, 0, &used);
  peak = static_cast<std::size_t>(used.ru_maxrss) * 1024;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

struct ReadMemory : testing::Test {
  fs::path folder = fs::temp_directory_path() / ("recta_memory_" + std::to_string(::getpid()));
  ReadMemory() { fs::create_directories(folder); }
  ~ReadMemory() override { fs::remove_all(folder); }

  // The size of what was written; the text is gone before the child begins.
  std::size_t put(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
    return text.size();
  }
  void expect_within(const std::string& name, std::size_t size, const ReadOptions& options, bool refused) const {
    std::size_t peak = 0;
    std::string said;
    const int code = read_in_child((folder / name).string(), options, peak, said);
    EXPECT_EQ(code, refused ? kRefused : kRead) << name << ": " << said;
    EXPECT_LE(peak >> 20, (16 * size + (64 << 20)) >> 20)
        << name << " has " << (size >> 20) << " MiB, on " << options.threads << " threads; " << said;
    if (std::getenv("RECTA_SHOW_MEMORY") != nullptr)
      std::printf("%-28s %2d threads %5zu MiB %5.1f x %s\n", name.c_str(), options.threads, peak >> 20,
                  static_cast<double>(peak) / static_cast<double>(size), said.substr(0, 60).c_str());
  }
};

TEST_F(ReadMemory, StaysWithinSixteenTimesTheFileForTheWorstShapes) {
  if (sanitized()) GTEST_SKIP() << "a sanitizer takes memory of its own";
  for (const auto& make : shapes()) {
    Shape shape = make();
    const std::size_t size = put(shape.name, shape.text);
    shape.text = {};
    for (const int threads : {1, 8}) {
      shape.options.threads = threads;
      expect_within(shape.name, size, shape.options, shape.refused);
    }
    fs::remove(folder / shape.name);
  }
}

TEST_F(ReadMemory, StaysWithinSixteenTimesTheExpandedBytesOfACompressedFile) {
  if (sanitized()) GTEST_SKIP() << "a sanitizer takes memory of its own";
  std::size_t size = 0;
  {
    const std::string text = distinct(1, "", 4);
    const gzFile file = ::gzopen((folder / "levels.csv.gz").c_str(), "wb1");
    ASSERT_EQ(::gzwrite(file, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
    ::gzclose(file);
    size = text.size();
  }
  expect_within("levels.csv.gz", size, {.threads = 2}, false);
}

TEST_F(ReadMemory, LevelsAndTextsCountAgainstTheLimitOfTheCaller) {
  const std::size_t size = put("levels.csv", distinct(1, "", 5));
  put("texts.csv", distinct(1, "", 20));
  for (const char* name : {"levels.csv", "texts.csv"}) {
    ReadOptions options;
    options.threads = 2;
    options.max_memory = 3 * size; // holds the file, the codes and nothing more
    options.header = true;
    if (std::strcmp(name, "texts.csv") == 0) options.types["n0"] = ColumnType::text;
    const auto data = read((folder / name).string(), options);
    ASSERT_FALSE(data) << name;
    EXPECT_EQ(data.error().code, ErrorCode::bad_data);
    EXPECT_NE(data.error().text().find("more than the limit of 30 MiB"), std::string::npos) << data.error().text();
  }
}

} // namespace
} // namespace recta
