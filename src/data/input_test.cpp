#include "data/input.hpp"
#include "data/output.hpp"
#include "data/test_bytes.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace recta {
namespace {

namespace fs = std::filesystem;

struct InputTest : testing::Test {
  fs::path folder = fs::temp_directory_path() / ("recta_input_" + std::to_string(::getpid()));
  InputTest() { fs::create_directories(folder); }
  ~InputTest() override { fs::remove_all(folder); }

  std::string file(const std::string& name) const { return (folder / name).string(); }
  std::string put(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder / name, std::ios::binary) << bytes;
    return file(name);
  }
  std::string packed(const std::string& name, const std::string& bytes) const {
    auto output = Output::open(file(name));
    EXPECT_TRUE(output && output->write(bytes) && output->commit());
    return file(name);
  }
  static std::string slurp(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

std::string some_text() {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i * 7919L % 100'003) + (i % 10 ? "," : "\n");
  return text;
}

TEST_F(InputTest, PlainGzipAndZstdFilesGiveTheSameBytesWholeAndInPieces) {
  const std::string text = some_text();
  for (const char* name : {"a.csv", "a.csv.gz", "a.csv.zst"}) {
    const std::string path = packed(name, text);
    auto bytes = read_bytes(path);
    ASSERT_TRUE(bytes) << bytes.error().text();
    EXPECT_EQ(bytes->view(), text) << name;
    auto input = Input::open(path);
    ASSERT_TRUE(input);
    for (int pass = 0; pass < 2; ++pass) {
      std::string pieces;
      char buffer[1000];
      while (true) {
        auto got = (*input)->read(buffer);
        ASSERT_TRUE(got);
        pieces.append(buffer, *got);
        if (*got < sizeof buffer) break;
      }
      EXPECT_EQ(pieces, text) << name;
      ASSERT_TRUE((*input)->rewind());
    }
  }
}

TEST_F(InputTest, CompressionIsRecognisedByTheBytesWhateverTheName) {
  const std::string path = packed("a.gz", "1,2\n");
  fs::rename(path, file("a.csv"));
  EXPECT_EQ(read_bytes(file("a.csv"))->view(), "1,2\n");
  EXPECT_EQ(read_bytes(put("plain.gz", "1,2\n"))->view(), "1,2\n");
}

TEST_F(InputTest, AGzipFileOfSeveralMembersIsReadToTheEnd) {
  const std::string a = slurp(packed("a.gz", "one\n")), b = slurp(packed("b.gz", "two\n"));
  EXPECT_EQ(read_bytes(put("ab.gz", a + b))->view(), "one\ntwo\n");
}

TEST_F(InputTest, WhatCannotBeOpenedIsNamedWithItsReason) {
  EXPECT_EQ(read_bytes(file("none.csv")).error().what, "no such file");
  EXPECT_EQ(read_bytes(folder.string()).error().what, "is a folder, not a file");
  EXPECT_EQ(read_bytes(folder.string()).error().where, folder.string());
  if (::geteuid() != 0) {
    const std::string path = put("secret.csv", "1\n");
    fs::permissions(path, fs::perms::none);
    EXPECT_EQ(read_bytes(path).error().what, "no permission to read it");
  }
}

TEST_F(InputTest, CompressedDataCutAtAnyByteAreRefused) {
  for (const char* name : {"a.gz", "a.zst"}) {
    const std::string whole = slurp(packed(name, some_text().substr(0, 300)));
    for (std::size_t size = 4; size < whole.size(); ++size) {
      auto bytes = read_bytes(put("cut", whole.substr(0, size)));
      ASSERT_FALSE(bytes) << name << " " << size;
      EXPECT_EQ(bytes.error().what, "the compressed data end too early");
    }
  }
}

TEST_F(InputTest, DamagedCompressedDataAreRefused) {
  for (const char* name : {"a.gz", "a.zst"}) {
    std::string bytes = slurp(packed(name, some_text()));
    for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 20; ++i) bytes[i] = static_cast<char>(~bytes[i]);
    EXPECT_FALSE(read_bytes(put("bad", bytes))) << name;
  }
}

TEST_F(InputTest, AFileThatExpandsTooMuchIsRefusedWhileItIsRead) {
  ReadOptions options;
  options.max_expansion = 10;
  for (const char* name : {"a.gz", "a.zst"}) {
    auto bytes = read_bytes(packed(name, std::string(4 << 20, '1')), options);
    ASSERT_FALSE(bytes);
    EXPECT_EQ(bytes.error().what, "expands more than 10 times");
  }
}

TEST_F(InputTest, TheMemoryLimitHoldsForPlainAndCompressedFiles) {
  ReadOptions options;
  options.max_memory = 1000;
  for (const char* name : {"a.csv", "a.gz", "a.zst"}) {
    auto bytes = read_bytes(packed(name, std::string(2000, '1')), options);
    ASSERT_FALSE(bytes) << name;
    EXPECT_EQ(bytes.error().advice, "raise --max-memory, or stream the file");
  }
}

TEST_F(InputTest, AnEmptyFileHasNoBytes) {
  EXPECT_EQ(read_bytes(put("empty", ""))->view(), "");
}

TEST_F(InputTest, NothingIsLeftBehindByAFileThatWasNotCommitted) {
  put("a.csv", "old");
  {
    auto output = Output::open(file("a.csv"));
    ASSERT_TRUE(output && output->write("new"));
  }
  EXPECT_EQ(slurp(file("a.csv")), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
}

TEST_F(InputTest, AFullDiskIsAnErrorWithItsReason) {
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  auto output = Output::open("/dev/full");
  ASSERT_TRUE(output);
  auto written = output->write("text");
  if (written) written = output->commit();
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().advice, "make room on the disk");
}

TEST_F(InputTest, WritingIntoAFolderThatDoesNotExistIsRefused) {
  EXPECT_EQ(Output::open(file("none/a.csv")).error().advice, "make the folder first");
}

} // namespace
} // namespace recta
