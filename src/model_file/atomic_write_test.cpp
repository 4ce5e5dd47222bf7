// P9: after a crash, a full disk or a kill at any system call of a save, the file is the old one or the new one.
#include "model_file/atomic_write.hpp"
#include "model_file/example_model.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <random>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace recta {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

// A directory of its own for one test.
struct Folder {
  fs::path path;
  Folder() {
    std::string name = testing::TempDir() + "recta-XXXXXX";
    path = ::mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const std::string& name) const { return (path / name).string(); }
  Index files() const { return std::distance(fs::directory_iterator(path), {}); }
};

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The system's calls, counted; call number `at` fails with `error`, or ends the process when `error` is 0. Calls of one
// kind only, when `kind` is set.
struct Injected {
  static inline int count = 0, at = -1, error = 0;
  static inline char kind = 0;

  static void aim(int number, int with, char which = 0) { count = 0, at = number, error = with, kind = which; }
  static bool fails(char which) {
    if (kind != 0 && kind != which) return false;
    if (count++ != at) return false;
    if (error == 0) ::_exit(77);
    errno = error;
    return true;
  }
  static int open(const char* path, int flags, mode_t mode) {
    return fails('o') ? -1 : system_file_ops().open(path, flags, mode);
  }
  static ssize_t write(int file, const void* bytes,
                       std::size_t size) { // in small pieces, so that a crash falls between
    return fails('w') ? -1 : ::write(file, bytes, std::min<std::size_t>(size, 1000));
  }
  static int fsync(int file) { return fails('s') ? -1 : ::fsync(file); }
  static int close(int file) {
    const bool failed = fails('c');
    return ::close(file) != 0 || failed ? (errno = error, -1) : 0;
  }
  static int rename(const char* from, const char* to) { return fails('r') ? -1 : ::rename(from, to); }
  static int unlink(const char* path) { return ::unlink(path); }
};
constexpr FileOps kInjected{Injected::open,  Injected::write,  Injected::fsync,
                            Injected::close, Injected::rename, Injected::unlink};

Model renamed(const std::string& word) {
  Model model = example_model();
  model.word = word;
  return model;
}

TEST(AtomicWrite, ReplacesTheWholeFile) {
  const Folder folder;
  ASSERT_TRUE(write_atomically(folder / "a", "first"));
  ASSERT_TRUE(write_atomically(folder / "a", "2nd"));
  EXPECT_EQ(content(folder / "a"), "2nd");
  EXPECT_EQ(folder.files(), 1);
}

TEST(AtomicWrite, LeavesTheOldOrTheNewFileAfterACrashAtAnySystemCall) {
  const Folder folder;
  const std::string old_bytes = renamed("old").to_bytes(), new_bytes = renamed("new").to_bytes();
  int calls = 0, old_files = 0, new_files = 0;
  for (bool crashed = true; crashed; ++calls) {
    ASSERT_TRUE(write_atomically(folder / "m.recta", old_bytes));
    const pid_t child = ::fork();
    if (child == 0) {
      Injected::aim(calls, 0);
      ::_exit(write_atomically(folder / "m.recta", new_bytes, kInjected) ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    crashed = WEXITSTATUS(status) == 77;
    ASSERT_TRUE(crashed || WEXITSTATUS(status) == 0);
    const auto model = Model::load(folder / "m.recta");
    ASSERT_TRUE(model) << "crash at call " << calls << ": " << model.error().text();
    ++(model->word == "old" ? old_files : new_files);
  }
  EXPECT_GE(calls, 10); // open, writes, fsync, close, rename; open, fsync and close of the directory
  EXPECT_GT(old_files, 0);
  EXPECT_GT(new_files, 0);
}

TEST(AtomicWrite, KeepsTheOldFileAndNoOtherWhenAnyCallFails) {
  const std::string bytes = renamed("new").to_bytes();
  bool failed = true;
  for (int call = 0; failed; ++call) {
    const Folder folder;
    ASSERT_TRUE(write_atomically(folder / "m.recta", "old"));
    Injected::aim(call, EIO);
    const auto written = write_atomically(folder / "m.recta", bytes, kInjected);
    failed = Injected::count > call;
    EXPECT_EQ(folder.files(), 1) << call;
    if (written || written.error().what.starts_with("was saved"))
      EXPECT_EQ(content(folder / "m.recta"), bytes);
    else
      EXPECT_EQ(content(folder / "m.recta"), "old") << call;
  }
}

TEST(AtomicWrite, SaysThatTheDiskIsFull) {
  const Folder folder;
  ASSERT_TRUE(write_atomically(folder / "m.recta", "old"));
  Injected::aim(2, ENOSPC, 'w');
  const auto written = write_atomically(folder / "m.recta", std::string(10'000, 'x'), kInjected);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::failure);
  EXPECT_THAT(written.error().text(), HasSubstr("No space left on device; free some space or save elsewhere"));
  EXPECT_EQ(content(folder / "m.recta"), "old");
  EXPECT_EQ(folder.files(), 1);
}

TEST(AtomicWrite, GoesOnAfterAnInterruptedWrite) {
  const Folder folder;
  Injected::aim(1, EINTR, 'w');
  ASSERT_TRUE(write_atomically(folder / "a", std::string(5000, 'x'), kInjected));
  EXPECT_EQ(content(folder / "a"), std::string(5000, 'x'));
}

TEST(AtomicWrite, KeepsTheOldFileUnderALimitOnFileSizes) {
  const Folder folder;
  ASSERT_TRUE(write_atomically(folder / "m.recta", "old"));
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_DFL);
    const rlimit limit{2000, 2000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto saved = example_model().save(folder / "m.recta");
    ::_exit(!saved && saved.error().text().find("ulimit -f") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(content(folder / "m.recta"), "old");
  EXPECT_EQ(folder.files(), 1);
}

TEST(AtomicWrite, LeavesTheOldOrTheNewFileWhenKilledAtRandomTimes) {
  const Folder folder;
  const Model first = renamed("first"), second = renamed("second");
  ASSERT_TRUE(first.save(folder / "m.recta"));
  std::mt19937 random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const pid_t child = ::fork();
    if (child == 0)
      for (;;) (void)second.save(folder / "m.recta"), (void)first.save(folder / "m.recta");
    ::usleep(random() % 5000);
    ::kill(child, SIGKILL);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    const auto model = Model::load(folder / "m.recta");
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_TRUE(model->word == "first" || model->word == "second");
  }
}

TEST(AtomicWrite, FollowsLinksAndKeepsPermissions) {
  const Folder folder;
  ASSERT_TRUE(write_atomically(folder / "real", "old"));
  fs::permissions(folder / "real", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("real", folder / "link");
  ASSERT_TRUE(write_atomically(folder / "link", "new"));
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(content(folder / "real"), "new");
  EXPECT_EQ(fs::status(folder / "real").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(AtomicWrite, GivesANewFileThePermissionsOfTheUmask) {
  const Folder folder;
  const mode_t old = ::umask(027);
  const auto written = write_atomically(folder / "a", "x");
  ::umask(old);
  ASSERT_TRUE(written);
  struct stat info{};
  ASSERT_EQ(::stat((folder / "a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST(AtomicWrite, WritesADeviceWhereItStands) {
  EXPECT_TRUE(write_atomically("/dev/null", "x"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(AtomicWrite, SaysWhyItCannotWrite) {
  const Folder folder;
  EXPECT_THAT(write_atomically(folder / "no/dir/m", "x").error().text(), HasSubstr("make the directory first"));
  EXPECT_THAT(write_atomically(folder.path.string(), "x").error().text(),
              HasSubstr("is a directory; name a file in it"));
  EXPECT_THAT(write_atomically("", "x").error().text(), HasSubstr("no file name"));
  Injected::aim(0, EACCES, 'o'); // root may write anywhere, so the answer is played
  EXPECT_THAT(write_atomically(folder / "m", "x", kInjected).error().text(),
              HasSubstr("Permission denied; save to a directory you may write to"));
}

} // namespace
} // namespace recta
