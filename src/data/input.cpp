#include "data/input.hpp"

#include "base/large_memory.hpp"
#include "base/listening.hpp"
#include "data/decompress.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace recta {

Bytes Bytes::borrowed(std::string_view view) {
  Bytes bytes;
  bytes.view_ = view;
  return bytes;
}

void Bytes::release(std::string_view part) const {
  constexpr std::uintptr_t kPage = 1 << 12;
  if (owned_.empty()) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(part.data()), end = begin + part.size();
  const std::uintptr_t first = (begin + kPage - 1) / kPage * kPage, last = end / kPage * kPage;
  if (last > first) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

Result<Bytes> Input::read_all() {
  ByteVector bytes(1 << 16);
  std::size_t size = 0;
  while (true) {
    auto count = read(std::span(bytes).subspan(size));
    if (!count) return std::unexpected(count.error());
    size += *count;
    if (max_memory_ && size > max_memory_)
      return fail(ErrorCode::bad_data, source_, fmt::format("holds more than the limit of {} bytes", max_memory_),
                  "raise --max-memory, or stream the file");
    if (size < bytes.size()) break;
    keep_going();
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

// A file as it lies on disk, or a pipe. The first bytes may be looked at before they are read. A file is read by places
// that are kept here, so that several threads can.
class FileInput final : public Input {
public:
  FileInput(std::string source, const ReadOptions& options)
      : Input(std::move(source), options.max_memory), threads_(options.threads) {}
  ~FileInput() override {
    if (fd_ > STDERR_FILENO) ::close(fd_);
  }

  Result<void> open(const std::string& path) {
    const bool standard = path == "-";
    // A named pipe would make open() wait for a writer, and the wait could not be stopped: wait() does the waiting.
    fd_ = standard ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd_ < 0) return system_error(source_, "cannot be opened");
    if (!standard) ::fcntl(fd_, F_SETFL, ::fcntl(fd_, F_GETFL) & ~O_NONBLOCK);
    struct stat status{};
    const bool known = ::fstat(fd_, &status) == 0;
    regular_ = known && S_ISREG(status.st_mode) && !standard;
    size_ = regular_ ? static_cast<std::size_t>(status.st_size) : 0;
    if (!known || !S_ISDIR(status.st_mode)) return {};
    errno = EISDIR;
    return system_error(source_, "cannot be opened");
  }

  Result<std::string_view> peek() {
    auto count = fill(std::span(first_, sizeof first_));
    if (!count) return std::unexpected(count.error());
    at_ = 0;
    first_end_ = regular_ ? 0 : *count;
    return std::string_view(first_, *count);
  }

  std::size_t size() const override { return size_; }

  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t kept = std::min(first_end_ - first_begin_, buffer.size());
    if (kept) std::memcpy(buffer.data(), first_ + first_begin_, kept);
    first_begin_ += kept;
    auto count = fill(buffer.subspan(kept));
    if (!count) return count;
    return *count + kept;
  }

  Result<std::size_t> read_parts(std::span<char> buffer, Pool& pool) override {
    if (size_ == 0 || pool.threads() == 1) return read(buffer);
    const std::size_t begin = std::min(at_, size_), size = std::min(buffer.size(), size_ - begin);
    const std::size_t part = std::min(kPart, size / static_cast<std::size_t>(pool.threads()) + 1);
    std::atomic<std::size_t> end = begin + size; // of the bytes that are there
    std::atomic<int> code = 0;
    std::atomic<bool> stopped = !Listening::wanted(static_cast<double>(begin) / static_cast<double>(size_));
    pool.run(static_cast<Index>((size + part - 1) / part), [&](Index k, int worker) {
      std::size_t at = begin + static_cast<std::size_t>(k) * part;
      if (worker == 0 && !Listening::wanted(static_cast<double>(at) / static_cast<double>(size_))) stopped = true;
      if (stopped) return;
      const std::size_t stop = std::min(begin + size, at + part);
      while (at < stop) {
        const ssize_t count = ::pread(fd_, buffer.data() + (at - begin), stop - at, static_cast<off_t>(at));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) code = errno;
        if (count <= 0) break;
        at += static_cast<std::size_t>(count);
      }
      for (std::size_t known_end = end; at < stop && at < known_end && !end.compare_exchange_weak(known_end, at);) {
      }
    });
    if (stopped) throw Interrupted();
    errno = code;
    if (code) return system_error(source_, "cannot be read");
    if (end < begin + size) return shorter(end);
    at_ = begin + size;
    return size;
  }

  Result<Bytes> read_all() override {
    if (size_ == 0) return Input::read_all();
    if (max_memory_ && size_ > max_memory_)
      return fail(ErrorCode::bad_data, source_,
                  fmt::format("holds {} bytes, more than the limit of {}", size_, max_memory_),
                  "raise --max-memory, or stream the file");
    const LargePages pages(LargePages::room(size_)); // most of the time would go into small ones
    ByteVector bytes(size_);
    Pool pool(size_ > kPart ? threads_ : 1);
    at_ = 0;
    if (auto count = read_parts(bytes, pool); !count) return std::unexpected(count.error());
    return Bytes(std::move(bytes));
  }

  bool rereads() const override { return regular_; }
  Result<void> rewind() override {
    if (!regular_) return fail(ErrorCode::usage, source_, "can be read only once", "save it to a file first");
    at_ = 0;
    return {};
  }

private:
  std::unexpected<Error> shorter(std::size_t end) const {
    return fail(ErrorCode::bad_data, source_,
                fmt::format("ends after {} bytes where it had {}: it was cut while it was being read", end, size_),
                "wait until nothing writes to it, and read it again");
  }

  // Waits until there is something to read, or the thread is told to stop.
  void wait() const {
    pollfd waiting{fd_, POLLIN, 0};
    while (::poll(&waiting, 1, Listening::anyone() ? 20 : -1) <= 0) keep_going();
  }

  Result<std::size_t> fill(std::span<char> buffer) {
    std::size_t size = 0;
    while (size < buffer.size()) {
      if (!regular_) wait();
      keep_going(size_ ? static_cast<double>(at_) / static_cast<double>(size_) : -1);
      const std::size_t part_size = std::min(buffer.size() - size, kPart);
      const ssize_t count = regular_ ? ::pread(fd_, buffer.data() + size, part_size, static_cast<off_t>(at_))
                                     : ::read(fd_, buffer.data() + size, part_size);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return system_error(source_, "cannot be read");
      if (count == 0 && at_ < size_) return shorter(at_);
      if (count == 0) break;
      size += static_cast<std::size_t>(count);
      at_ += static_cast<std::size_t>(count);
    }
    return size;
  }

  static constexpr std::size_t kPart = 1 << 21; // bytes asked for at a time: a large page, cleared by one thread

  int fd_ = -1;
  int threads_;
  bool regular_ = false;
  std::size_t size_ = 0, at_ = 0; // of a file: its size when it was opened, and how much was read
  char first_[4] = {};            // of a pipe: looked at and still to be read
  std::size_t first_begin_ = 0, first_end_ = 0;
};

} // namespace

Result<std::unique_ptr<Input>> Input::open(const std::string& path, const ReadOptions& options) {
  auto file = std::make_unique<FileInput>(path == "-" ? "standard input" : path, options);
  if (auto opened = file->open(path); !opened) return std::unexpected(opened.error());
  auto first = file->peek();
  if (!first) return std::unexpected(first.error());
  const bool gzip = first->starts_with("\x1f\x8b");
  const bool zstd = *first == "\x28\xb5\x2f\xfd";
  if (gzip) return gzip_input(std::move(file), options);
  if (zstd) return zstd_input(std::move(file), options);
  return std::unique_ptr<Input>(std::move(file));
}

} // namespace recta
