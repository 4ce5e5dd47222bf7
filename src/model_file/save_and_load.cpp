// Models as files: what touches the disk.
#include "base/guard.hpp"
#include "model/shared_body.hpp"
#include "model_file/atomic_write.hpp"
#include "model_file/mapping.hpp"
#include "model_file/read_model.hpp"
#include "model_file/rules.hpp"
#include "model_file/tensor_file.hpp"

#include <recta/verify.hpp>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace recta {
namespace {

struct OpenFile {
  int number;
  explicit OpenFile(const std::string& path) // a pipe must not make us wait
      : number(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~OpenFile() {
    if (number >= 0) ::close(number);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
};

std::unexpected<Error> unreadable(const std::string& path, int error) {
  return fail(ErrorCode::failure, path, "cannot be read: " + std::generic_category().message(error),
              error == ENOENT ? "check the name" : "");
}

// Reads on until `bytes` holds the first `size` of the file, or all of them when it has become shorter.
bool read_up_to(int file, std::size_t size, std::string& bytes) {
  std::size_t at = bytes.size();
  bytes.resize(size);
  while (at < size) {
    const ssize_t count = ::read(file, bytes.data() + at, size - at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) break;
    at += static_cast<std::size_t>(count);
  }
  bytes.resize(at);
  return true;
}

} // namespace

Result<void> Model::save(const std::string& path) const {
  return guarded(path, cure::kFree, [&]() -> Result<void> {
    if (auto good = check_fitted(*this); !good) return good;
    const auto bytes = std::make_shared<const std::string>(to_bytes());
    // A file that could not be read back is not written: NaN for a coefficient, names that are not UTF-8.
    if (const auto read_back = read_model(*bytes, path, bytes, Checksums::just_computed); !read_back)
      return read_back.error().code == ErrorCode::failure
                 ? std::unexpected(read_back.error())
                 : fail(ErrorCode::bad_data, path, "this model cannot be saved: " + read_back.error().what);
    return write_atomically(path, *bytes);
  });
}

// The first bytes decide whether the rest is read at all. A large file is mapped, and large tensors stay in it.
Result<Model> Model::load(const std::string& path) {
  return guarded(path, cure::kFree, [&]() -> Result<Model> {
    const OpenFile file(path);
    struct stat info{};
    if (file.number < 0 || ::fstat(file.number, &info) != 0) return unreadable(path, errno);
    if (!S_ISREG(info.st_mode))
      return fail(ErrorCode::bad_model_file, path, S_ISDIR(info.st_mode) ? "is a directory" : "is not a regular file",
                  "name a model file, as made by recta fit -o FILE");
    const auto size = static_cast<std::uint64_t>(info.st_size);
    std::string bytes;
    if (!read_up_to(file.number, std::min<std::uint64_t>(size, 9), bytes)) return unreadable(path, errno);
    if (const auto header = header_length(bytes, size, path); !header) return std::unexpected(header.error());
    if (size >= kLargeTensor)
      if (const auto mapping = Mapping::of(file.number, size)) return read_model(mapping->bytes(), path, mapping);
    if (!read_up_to(file.number, size, bytes)) return unreadable(path, errno);
    return from_bytes(bytes, path);
  });
}

Result<void> check_file(const std::string& path, const Model& model) {
  return guarded(path, cure::kFree, [&]() -> Result<void> {
    const OpenFile file(path);
    struct stat info{};
    if (file.number < 0 || ::fstat(file.number, &info) != 0) return unreadable(path, errno);
    const auto mapping = Mapping::of(file.number, static_cast<std::uint64_t>(info.st_size));
    if (!mapping) return unreadable(path, errno);
    return check_held(mapping->bytes(), path, mapping, model);
  });
}

} // namespace recta
