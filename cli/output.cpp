#include "output.hpp"

#include "flags.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace recta::cli {

namespace {

constexpr std::size_t kBuffer = 1 << 16;

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

} // namespace

Output::Output(int descriptor, std::string path, std::string temporary)
    : descriptor_(descriptor), path_(std::move(path)), temporary_(std::move(temporary)) {}

Output::Output(Output&& other) noexcept
    : descriptor_(other.descriptor_), path_(std::move(other.path_)), temporary_(std::move(other.temporary_)),
      buffer_(std::move(other.buffer_)), error_(other.error_) {
  other.descriptor_ = -1;
  other.temporary_.clear();
}

Output::~Output() {
  if (!temporary_.empty()) {
    unlink(temporary_.c_str());
    interrupt::remove_at_end({});
  }
  if (descriptor_ > STDERR_FILENO) close(descriptor_);
}

Result<Output> Output::to_standard_output() {
  return Output(STDOUT_FILENO, {}, {});
}

Result<Output> Output::to_file(const std::string& path, const std::string& flag) {
  struct stat info = {};
  const bool exists = stat(path.c_str(), &info) == 0;
  // A device or a pipe is written in place: it must not be replaced by a file.
  const bool in_place = exists && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
  const std::string target = in_place ? path : fmt::format("{}.{}.tmp", path, getpid());
  const int flags = in_place ? O_WRONLY | O_CLOEXEC : O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
  if (!in_place) interrupt::remove_at_end(target); // before it is there: a signal may come at any time
  const int descriptor = ::open(target.c_str(), flags, 0666);
  if (descriptor < 0) {
    interrupt::remove_at_end({});
    return fail(ErrorCode::failure, path, fmt::format("cannot be written: {}", std::strerror(errno)),
                "choose another place with " + flag);
  }
  return Output(descriptor, path, in_place ? std::string() : target);
}

Result<Output> Output::open(const std::string& path, const std::string& flag) {
  return path.empty() || path == "-" ? to_standard_output() : to_file(path, flag);
}

Output& Output::operator<<(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= kBuffer) flush();
  return *this;
}

void Output::flush() {
  std::size_t done = 0;
  while (done < buffer_.size() && error_ == 0) {
    const ssize_t n = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
    if (n > 0) {
      done += static_cast<std::size_t>(n);
    } else if (n == 0 || errno != EINTR) {
      error_ = n == 0 ? ENOSPC : errno;
    }
  }
  buffer_.clear();
}

Error Output::error_of(const char* action) const {
  return {ErrorCode::failure, path_.empty() ? "standard output" : path_,
          fmt::format("{} failed: {}", action, std::strerror(error_)),
          error_ == ENOSPC ? "free some space and run it again" : ""};
}

Result<void> Output::finish() {
  flush();
  if (error_ == 0 && !temporary_.empty()) {
    if (fsync(descriptor_) != 0 || rename(temporary_.c_str(), path_.c_str()) != 0) error_ = errno;
    if (error_ == 0) {
      temporary_.clear();
      interrupt::remove_at_end({});
    }
  }
  if (error_ != 0 && error_ != EPIPE) return std::unexpected(error_of("writing"));
  return {};
}

std::string text_of(const report::Document& document, const Voice& voice, Index top) {
  return voice.json ? report::to_json(document.data)
                    : report::to_text(document.page, {.digits = voice.digits, .top = top, .bold = voice.colour});
}

Result<int> show(const report::Document& document, const Voice& voice, Index top, int code) {
  Result<Output> out = Output::to_standard_output();
  *out << text_of(document, voice, top);
  if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
  return code;
}

std::string csv_field(std::string_view text) {
  return text.find_first_of(",\"\r\n") == std::string_view::npos ? std::string(text) : quoted(text);
}

std::string csv_heading(const std::vector<std::string>& names) {
  double ignored = 0;
  const bool numbers = std::ranges::any_of(names, [&](const std::string& name) { return parse_number(name, ignored); });
  std::string line;
  for (std::size_t j = 0; j < names.size(); ++j)
    line += (j > 0 ? "," : "") + (numbers ? quoted(names[j]) : csv_field(names[j]));
  return line + "\n";
}

} // namespace recta::cli
