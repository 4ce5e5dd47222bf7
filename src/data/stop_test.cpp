// Reading that is stopped, and files that another program cuts meanwhile: an error with the file's name in every
// format.
#include "data/output.hpp"

#include <recta/dataset.hpp>

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace recta {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::size_t kSize = 3 << 20; // several of the parts in which files are read

std::string many(std::string text, const std::string& line) {
  while (text.size() < kSize) text += line;
  return text;
}

std::string npy() {
  constexpr Index kRows = kSize / 16;
  std::string head = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(kRows) + ", 2), }";
  head.resize(118, ' ');
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + head + std::string(kRows * 16, '\0');
}

struct Stopping : testing::Test {
  fs::path folder = fs::temp_directory_path() / ("recta_stop_" + std::to_string(::getpid()));
  std::vector<std::string> plain, packed;

  Stopping() {
    fs::create_directories(folder);
    std::string csv = "a,b\n";
    for (long k = 0; csv.size() < kSize; ++k)
      csv += std::to_string(k * 7919 % 100'003) + ",x" + std::to_string(k % 13) + "\n";
    put("t.csv", csv);
    put("t.tsv", many("a\tb\n", "1.25\tx\n"));
    put("t.libsvm", many("", "1 1:2 3:4\n"));
    put("t.arff", many("@relation r\n@attribute a real\n@attribute b {x,y}\n@data\n", "1.25,x\n"));
    put("t.npy", npy());
    for (const char* name : {"p.csv.gz", "p.csv.zst"}) {
      auto out = Output::open((folder / name).string());
      EXPECT_TRUE(out && out->write(csv) && out->commit());
      packed.push_back((folder / name).string());
    }
  }
  ~Stopping() override { fs::remove_all(folder); }

  void put(const std::string& name, const std::string& text) {
    std::ofstream(folder / name, std::ios::binary) << text;
    plain.push_back((folder / name).string());
  }
  std::vector<std::string> all() const {
    std::vector<std::string> names = plain;
    names.insert(names.end(), packed.begin(), packed.end());
    return names;
  }
};

TEST_F(Stopping, AWatchThatSaysNoEndsReadingInEveryFormat) {
  for (const std::string& path : all())
    for (const int threads : {1, 4}) {
      const auto data = read(path, {.threads = threads}, [](const Progress&) { return false; });
      ASSERT_FALSE(data) << path;
      EXPECT_EQ(data.error().code, ErrorCode::interrupted);
      EXPECT_EQ(data.error().where, path);
    }
}

TEST_F(Stopping, ParsingIsAStageOfItsOwnAndCanBeStoppedToo) {
  for (const std::string& path : plain) {
    const auto data = read(path, {.threads = 1}, [](const Progress& step) { return step.stage != "parsing"; });
    ASSERT_FALSE(data) << path;
    EXPECT_EQ(data.error().code, ErrorCode::interrupted) << data.error().text();
  }
}

TEST_F(Stopping, AWatchHearsOfReadingAndParsingAndChangesNothing) {
  for (const std::string& path : all()) {
    std::set<std::string> stages;
    const auto calling = std::this_thread::get_id();
    const auto watched = read(path, {}, [&](const Progress& step) {
      EXPECT_EQ(std::this_thread::get_id(), calling);
      EXPECT_LE(step.fraction, 1);
      EXPECT_GE(step.seconds, 0);
      stages.emplace(step.stage);
      return true;
    });
    ASSERT_TRUE(watched) << watched.error().text();
    EXPECT_EQ(stages, (std::set<std::string>{"reading", "parsing"})) << path;
    const auto alone = read(path);
    ASSERT_TRUE(alone);
    EXPECT_EQ(watched->rows, alone->rows);
    for (std::size_t j = 0; j < alone->columns.size(); ++j) {
      EXPECT_EQ(watched->columns[j].values, alone->columns[j].values);
      EXPECT_EQ(watched->columns[j].codes, alone->columns[j].codes);
    }
  }
}

TEST_F(Stopping, AFileCutWhileItIsReadIsAnErrorThatNamesIt) {
  for (const std::string& path : plain) {
    bool cut = false;
    const auto data = read(path, {.threads = 1}, [&](const Progress& step) {
      if (!cut && step.stage == "reading") fs::resize_file(path, kSize / 2);
      cut = true;
      return true;
    });
    ASSERT_TRUE(cut) << path;
    ASSERT_FALSE(data) << path;
    EXPECT_EQ(data.error().code, ErrorCode::bad_data);
    EXPECT_THAT(data.error().text(), HasSubstr(path + ": ends after "));
    EXPECT_THAT(data.error().text(), HasSubstr("it was cut while it was being read"));
  }
}

TEST_F(Stopping, AFileCutAfterItWasReadChangesNothing) {
  for (const std::string& path : plain) {
    const auto whole = read(path, {.threads = 1});
    ASSERT_TRUE(whole) << whole.error().text();
    const auto data = read(path, {.threads = 1}, [&](const Progress& step) {
      if (step.stage == "parsing") fs::resize_file(path, 0);
      return true;
    });
    ASSERT_TRUE(data) << data.error().text();
    EXPECT_EQ(data->rows, whole->rows);
  }
}

TEST_F(Stopping, AStreamWhoseFileIsCutIsAnErrorAndNotAShortTable) {
  for (const std::string& path : plain) {
    auto stream = open_stream(path, {}, 512);
    ASSERT_TRUE(stream) << stream.error().text();
    fs::resize_file(path, kSize / 2);
    Dataset block;
    Result<bool> more = true;
    while (more && *more) more = (*stream)->next(block);
    ASSERT_FALSE(more) << path;
    EXPECT_THAT(more.error().text(), HasSubstr(path));
    EXPECT_THAT(more.error().text(), HasSubstr("it was cut while it was being read"));
  }
}

TEST_F(Stopping, WaitingForAPipeCanBeStopped) {
  const std::string path = (folder / "pipe.csv").string();
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  int calls = 0;
  const auto data = read(path, {}, [&](const Progress& step) {
    EXPECT_LT(step.fraction, 0);
    return ++calls < 4;
  });
  ASSERT_FALSE(data);
  EXPECT_EQ(data.error().code, ErrorCode::interrupted);
  EXPECT_EQ(calls, 4);
}

TEST_F(Stopping, APipeThatIsWrittenInPartsIsReadToItsEnd) {
  const std::string path = (folder / "pipe.csv").string();
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] {
    std::ofstream out(path);
    out << "a,b\n1,2\n" << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    out << "3,4\n";
  });
  const auto data = read(path, {}, [](const Progress&) { return true; });
  writer.join();
  ASSERT_TRUE(data) << data.error().text();
  EXPECT_EQ(data->rows, 2);
}

} // namespace
} // namespace recta
