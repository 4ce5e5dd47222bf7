#include "model_file/atomic_write.hpp"

#include "base/file_size_signal.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace recta {
namespace {

int open_file(const char* path, int flags, mode_t mode) {
  return ::open(path, flags, mode);
}

std::string advice_for(int error) {
  switch (error) {
  case ENOSPC:
  case EDQUOT:
    return "free some space or save elsewhere; a file that was there is unchanged";
  case EFBIG:
    return "the limit on file sizes (ulimit -f) is too low; a file that was there is unchanged";
  case EACCES:
  case EPERM:
    return "save to a directory you may write to";
  case EROFS:
    return "the file system is mounted read-only; save elsewhere";
  case ENOENT:
  case ENOTDIR:
    return "make the directory first, or check its name";
  case ENAMETOOLONG:
    return "choose a shorter name";
  default:
    return "a file that was there is unchanged";
  }
}

std::unexpected<Error> system_failure(const std::string& path, std::string_view doing, int error) {
  return fail(ErrorCode::failure, path, std::string(doing) + ": " + std::generic_category().message(error),
              advice_for(error));
}

// 0, or the error. A write of nothing is taken as a full disk: it would never end otherwise.
int write_all(int file, std::string_view bytes, const FileOps& ops) {
  const NoFileSizeSignal none;
  while (!bytes.empty()) {
    const ssize_t written = ops.write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : ENOSPC;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

// The file that `path` means after all links; a name that does not exist yet is its own.
std::string follow_links(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  return real ? std::string(real.get()) : path;
}

std::string directory_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == path.npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

// A name that is used by no other process: the process number and a count. O_EXCL settles the rest.
std::string temporary_name(const std::string& directory) {
  static std::atomic<unsigned> count{0};
  return directory + "/.recta-" + std::to_string(::getpid()) + "-" + std::to_string(count++) + ".tmp";
}

struct Temporary {
  std::string name;
  int file = -1;
};

Result<Temporary> make_temporary(const std::string& path, const FileOps& ops) {
  for (int attempt = 0;; ++attempt) {
    Temporary temporary{temporary_name(directory_of(path))}; // no memory is asked for once the file is there
    temporary.file = ops.open(temporary.name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (temporary.file >= 0) return temporary;
    const int error = errno;
    if (error == EINTR || (error == EEXIST && attempt < 1000)) continue;
    return system_failure(path, "cannot be written, its directory takes no new file", error);
  }
}

int flush_directory(const std::string& directory, const FileOps& ops) {
  const int file = ops.open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (file < 0) return errno == EACCES ? 0 : errno; // a directory that may be written but not read
  int error = ops.fsync(file) == 0 ? 0 : errno;
  if (error == EINVAL || error == ENOTSUP) error = 0; // file systems that cannot
  ops.close(file);
  return error;
}

Result<void> write_in_place(const std::string& path, std::string_view bytes, const FileOps& ops) {
  const int file = ops.open(path.c_str(), O_WRONLY | O_CLOEXEC, 0);
  if (file < 0) return system_failure(path, "cannot be opened for writing", errno);
  const int error = write_all(file, bytes, ops);
  ops.close(file);
  if (error != 0) return system_failure(path, "cannot be written", error);
  return {};
}

// Everything up to the rename: 0, or the error.
int fill(const Temporary& temporary, std::string_view bytes, const struct stat* old, const FileOps& ops) {
  int error = write_all(temporary.file, bytes, ops);
  if (error == 0 && old && ::fchmod(temporary.file, old->st_mode & 07777) != 0) error = errno;
  if (error == 0 && ops.fsync(temporary.file) != 0) error = errno;
  if (ops.close(temporary.file) != 0 && error == 0 && errno != EINTR) error = errno;
  return error;
}

} // namespace

const FileOps& system_file_ops() {
  static constexpr FileOps kOps{open_file, ::write, ::fsync, ::close, ::rename, ::unlink};
  return kOps;
}

Result<void> write_atomically(const std::string& path, std::string_view bytes, const FileOps& ops) {
  if (path.empty()) return fail(ErrorCode::usage, "", "no file name to save to");
  const std::string real = follow_links(path);
  struct stat old{};
  const bool exists = ::stat(real.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) return fail(ErrorCode::usage, path, "is a directory", "name a file in it");
  if (exists && !S_ISREG(old.st_mode)) return write_in_place(path, bytes, ops);

  const auto temporary = make_temporary(real, ops);
  if (!temporary) return std::unexpected(temporary.error());
  if (const int error = fill(*temporary, bytes, exists ? &old : nullptr, ops)) {
    ops.unlink(temporary->name.c_str());
    return system_failure(path, "cannot be written", error);
  }
  if (ops.rename(temporary->name.c_str(), real.c_str()) != 0) {
    const int error = errno;
    ops.unlink(temporary->name.c_str());
    return system_failure(path, "cannot be replaced", error);
  }
  if (const int error = flush_directory(directory_of(real), ops))
    return fail(ErrorCode::failure, path,
                "was saved, but its directory could not be flushed to the disk: " +
                    std::generic_category().message(error),
                "save again to be sure that it survives a power cut");
  return {};
}

} // namespace recta
