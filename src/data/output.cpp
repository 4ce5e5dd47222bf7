#include "data/output.hpp"

#include "base/file_size_signal.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <new>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>
#include <zlib.h>
#include <zstd.h>

namespace recta {

struct Output::State {
  std::string path, temporary;
  int fd = -1;
  bool standard = false, committed = false;
  std::string buffer; // plain or compressed bytes that wait to be written
  bool gzip = false;
  z_stream deflater{};
  ZSTD_CCtx* zstd = nullptr;
  std::vector<char> piece = std::vector<char>(1 << 16);

  ~State() {
    if (gzip) deflateEnd(&deflater);
    ZSTD_freeCCtx(zstd);
    if (fd >= 0 && !standard) ::close(fd);
    if (!committed && !temporary.empty()) ::unlink(temporary.c_str());
  }

  std::unexpected<Error> system_error(const char* doing) const {
    const int code = errno;
    const char* advice = code == ENOSPC || code == EDQUOT                   ? "make room on the disk"
                         : code == EACCES || code == EPERM || code == EROFS ? "write to another folder"
                         : code == ENOENT                                   ? "make the folder first"
                                                                            : "";
    return fail(ErrorCode::failure, standard ? "standard output" : path,
                fmt::format("{}: {}", doing, std::strerror(code)), advice);
  }

  Result<void> flush() {
    const NoFileSizeSignal none;
    for (std::size_t done = 0; done < buffer.size();) {
      const ssize_t put = ::write(fd, buffer.data() + done, buffer.size() - done);
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return system_error("cannot be written");
      done += static_cast<std::size_t>(put);
    }
    buffer.clear();
    return {};
  }

  Result<void> put(std::string_view bytes) {
    buffer.append(bytes);
    return buffer.size() < (1 << 18) ? Result<void>{} : flush();
  }

  Result<void> deflate_some(std::string_view bytes, int mode) {
    deflater.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    deflater.avail_in = static_cast<uInt>(bytes.size());
    int status = Z_OK;
    do {
      deflater.next_out = reinterpret_cast<Bytef*>(piece.data());
      deflater.avail_out = static_cast<uInt>(piece.size());
      status = deflate(&deflater, mode);
      if (auto done = put({piece.data(), piece.size() - deflater.avail_out}); !done) return done;
    } while (deflater.avail_out == 0 || (mode == Z_FINISH && status != Z_STREAM_END));
    return {};
  }

  Result<void> zstd_some(std::string_view bytes, ZSTD_EndDirective mode) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    std::size_t left = 0;
    do {
      ZSTD_outBuffer out{piece.data(), piece.size(), 0};
      left = ZSTD_compressStream2(zstd, &out, &in, mode);
      if (ZSTD_isError(left)) throw std::bad_alloc(); // nothing else can go wrong with valid buffers
      if (auto done = put({piece.data(), out.pos}); !done) return done;
    } while (in.pos < in.size || (mode == ZSTD_e_end && left != 0));
    return {};
  }
};

Output::Output(std::unique_ptr<State> state) : state_(std::move(state)) {}
Output::Output(Output&&) noexcept = default;
Output& Output::operator=(Output&&) noexcept = default;
Output::~Output() = default;

Result<Output> Output::open(const std::string& path) {
  auto state = std::make_unique<State>();
  state->path = path;
  state->standard = path == "-";
  struct stat status{};
  const bool special = ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  if (state->standard) {
    state->fd = STDOUT_FILENO;
  } else if (special) { // a device or a pipe is written in place
    state->fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    state->temporary = fmt::format("{}.{}.tmp", path, ::getpid());
    state->fd = ::open(state->temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  if (state->fd < 0) {
    auto error = state->system_error("cannot be opened for writing");
    state->temporary.clear();
    return error;
  }
  if (path.ends_with(".gz")) {
    if (deflateInit2(&state->deflater, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
    state->gzip = true;
  }
  if (path.ends_with(".zst")) {
    if (!(state->zstd = ZSTD_createCCtx())) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(state->zstd, ZSTD_c_checksumFlag, 1);
  }
  return Output(std::move(state));
}

Result<void> Output::write(std::string_view bytes) {
  constexpr std::size_t kMost = 1 << 30; // zlib counts in 32 bits
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kMost))) {
    const auto part = bytes.substr(0, kMost);
    auto done = state_->gzip   ? state_->deflate_some(part, Z_NO_FLUSH)
                : state_->zstd ? state_->zstd_some(part, ZSTD_e_continue)
                               : state_->put(part);
    if (!done) return done;
  }
  return {};
}

Result<void> Output::commit() {
  State& state = *state_;
  if (state.gzip)
    if (auto done = state.deflate_some({}, Z_FINISH); !done) return done;
  if (state.zstd)
    if (auto done = state.zstd_some({}, ZSTD_e_end); !done) return done;
  if (auto done = state.flush(); !done) return done;
  if (state.temporary.empty()) return {};
  if (::fsync(state.fd) != 0) return state.system_error("cannot be written");
  const int fd = std::exchange(state.fd, -1);
  if (::close(fd) != 0) return state.system_error("cannot be written");
  if (::rename(state.temporary.c_str(), state.path.c_str()) != 0) return state.system_error("cannot be written");
  state.committed = true;
  return {};
}

} // namespace recta
