#include "data/input.hpp"

#include "data/decompress.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace recta {

Bytes Bytes::of_map(void* start, std::size_t size) {
  Bytes bytes;
  bytes.map_ = start;
  bytes.view_ = {static_cast<const char*>(start), size};
  return bytes;
}

Bytes& Bytes::operator=(Bytes&& other) noexcept {
  std::swap(map_, other.map_);
  std::swap(view_, other.view_);
  owned_.swap(other.owned_);
  return *this;
}

Bytes::~Bytes() {
  if (map_) ::munmap(map_, view_.size());
}

Result<Bytes> Input::read_all() {
  ByteVector bytes(1 << 16);
  std::size_t size = 0;
  while (true) {
    auto got = read(std::span(bytes).subspan(size));
    if (!got) return std::unexpected(got.error());
    size += *got;
    if (max_memory_ && size > max_memory_)
      return fail(ErrorCode::bad_data, source_, fmt::format("holds more than the limit of {} bytes", max_memory_),
                  "raise --max-memory, or stream the file");
    if (size < bytes.size()) break;
    bytes.resize(bytes.size() * 2);
  }
  bytes.resize(size);
  return Bytes(std::move(bytes));
}

namespace {

std::unexpected<Error> system_error(const std::string& source, const char* doing) {
  const int code = errno;
  if (code == ENOENT || code == ENOTDIR)
    return fail(ErrorCode::failure, source, "no such file", "check the name, or give - for standard input");
  if (code == EACCES || code == EPERM)
    return fail(ErrorCode::failure, source, "no permission to read it", "change its permissions");
  if (code == EISDIR) return fail(ErrorCode::failure, source, "is a folder, not a file", "name a file in it");
  return fail(ErrorCode::failure, source, fmt::format("{}: {}", doing, std::strerror(code)));
}

// A file as it lies on disk, or a pipe. The first bytes may be looked at before they are read.
class FileInput final : public Input {
public:
  FileInput(std::string source, std::uint64_t max_memory) : Input(std::move(source), max_memory) {}
  ~FileInput() override {
    if (fd_ > STDERR_FILENO) ::close(fd_);
  }

  Result<void> open(const std::string& path) {
    const bool standard = path == "-";
    fd_ = standard ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd_ < 0) return system_error(source_, "cannot be opened");
    struct stat status{};
    const bool known = ::fstat(fd_, &status) == 0;
    regular_ = known && S_ISREG(status.st_mode) && !standard;
    if (!known || !S_ISDIR(status.st_mode)) return {};
    errno = EISDIR;
    return system_error(source_, "cannot be opened");
  }

  Result<std::string_view> peek() {
    auto got = fill(std::span(first_, sizeof first_));
    if (!got) return std::unexpected(got.error());
    first_end_ = *got;
    return std::string_view(first_, first_end_);
  }

  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t kept = std::min(first_end_ - first_begin_, buffer.size());
    if (kept) std::memcpy(buffer.data(), first_ + first_begin_, kept);
    first_begin_ += kept;
    auto got = fill(buffer.subspan(kept));
    if (!got) return got;
    return *got + kept;
  }

  Result<Bytes> read_all() override {
    struct stat status{};
    if (!regular_ || ::fstat(fd_, &status) != 0 || status.st_size == 0) return Input::read_all();
    const auto size = static_cast<std::size_t>(status.st_size);
    if (max_memory_ && size > max_memory_)
      return fail(ErrorCode::bad_data, source_,
                  fmt::format("holds {} bytes, more than the limit of {}", size, max_memory_),
                  "raise --max-memory, or stream the file");
    void* map = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd_, 0);
    if (map == MAP_FAILED) return Input::read_all();
    ::madvise(map, size, MADV_WILLNEED);
    return Bytes::of_map(map, size);
  }

  Result<void> rewind() override {
    if (!regular_ || ::lseek(fd_, 0, SEEK_SET) != 0)
      return fail(ErrorCode::usage, source_, "can be read only once", "save it to a file first");
    first_begin_ = first_end_ = 0;
    return {};
  }

private:
  Result<std::size_t> fill(std::span<char> buffer) {
    std::size_t size = 0;
    while (size < buffer.size()) {
      const ssize_t got = ::read(fd_, buffer.data() + size, std::min(buffer.size() - size, std::size_t{1} << 30));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return system_error(source_, "cannot be read");
      if (got == 0) break;
      size += static_cast<std::size_t>(got);
    }
    return size;
  }

  int fd_ = -1;
  bool regular_ = false;
  char first_[4] = {};
  std::size_t first_begin_ = 0, first_end_ = 0;
};

} // namespace

Result<std::unique_ptr<Input>> Input::open(const std::string& path, const ReadOptions& options) {
  auto file = std::make_unique<FileInput>(path == "-" ? "standard input" : path, options.max_memory);
  if (auto opened = file->open(path); !opened) return std::unexpected(opened.error());
  auto first = file->peek();
  if (!first) return std::unexpected(first.error());
  const bool gzip = first->starts_with("\x1f\x8b");
  const bool zstd = *first == "\x28\xb5\x2f\xfd";
  if (gzip) return gzip_input(std::move(file), options);
  if (zstd) return zstd_input(std::move(file), options);
  return std::unique_ptr<Input>(std::move(file));
}

Result<Bytes> read_bytes(const std::string& path, const ReadOptions& options) {
  auto input = Input::open(path, options);
  if (!input) return std::unexpected(input.error());
  return (*input)->read_all();
}

} // namespace recta
