#include "data/line_cutter.hpp"

#include <algorithm>
#include <cstring>

namespace recta {
namespace {

constexpr std::size_t kReadBytes = 1 << 16; // bytes read at a time

void append(std::string_view line, RawBlock& block) {
  const std::size_t size = block.size + line.size() + 1;
  if (block.bytes.size() < size) block.bytes.resize(std::max(size, 2 * block.bytes.size()));
  std::memcpy(block.bytes.data() + block.size, line.data(), line.size());
  block.size += line.size();
  if (!line.ends_with('\n')) block.bytes[block.size++] = '\n';
}

} // namespace

Result<bool> LineCutter::fill() {
  if (ended_) return false;
  const std::size_t held = size_ - at_;
  if (at_ > 0 && held > 0) std::memmove(buffer_.data(), buffer_.data() + at_, held);
  at_ = 0;
  size_ = held;
  // A line longer than the buffer doubles it, so that its bytes are moved a bounded number of times.
  if (buffer_.size() < held + kReadBytes) buffer_.resize(std::max(held + kReadBytes, 2 * held));
  const std::size_t room = buffer_.size() - held;
  auto size = input_->read(std::span<char>(buffer_).subspan(held));
  if (!size) return std::unexpected(size.error());
  ended_ = *size < room;
  size_ += *size;
  if (!started_ && std::string_view(buffer_.data(), size_).starts_with("\xEF\xBB\xBF")) at_ = 3; // byte order mark
  started_ = true;
  return true;
}

Result<std::string_view> LineCutter::line() {
  std::size_t searched = at_;
  while (true) {
    const char* line_end = nullptr;
    if (searched < size_)
      line_end = static_cast<const char*>(std::memchr(buffer_.data() + searched, '\n', size_ - searched));
    if (line_end || ended_) {
      const std::size_t end = line_end ? static_cast<std::size_t>(line_end - buffer_.data()) + 1 : size_;
      const std::string_view line(buffer_.data() + at_, end - at_);
      at_ = end;
      line_ += line_end != nullptr;
      return line;
    }
    const std::size_t held = size_ - at_;
    if (auto more = fill(); !more) return std::unexpected(more.error());
    searched = at_ + held; // fill() moved what was unread to the front
  }
}

Result<bool> LineCutter::cut(Index rows, bool (*is_row)(std::string_view line), RawBlock& block) {
  block.size = 0;
  block.rows = 0;
  block.first_row = row_;
  block.line = line_;
  while (block.rows < rows) {
    auto next = line();
    if (!next) return std::unexpected(next.error());
    if (next->empty()) break;
    append(*next, block);
    block.rows += is_row(*next);
  }
  row_ += block.rows;
  return block.rows > 0;
}

Result<void> LineCutter::rewind() {
  if (auto done = input_->rewind(); !done) return done;
  at_ = size_ = 0;
  ended_ = started_ = false;
  line_ = 1;
  row_ = 0;
  return {};
}

} // namespace recta
