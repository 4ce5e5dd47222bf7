#include "data/kept_input.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta {

Result<std::size_t> KeptInput::read(std::span<char> buffer) {
  const std::size_t again = std::min(buffer.size(), held_.size() - at_);
  std::copy_n(held_.data() + at_, again, buffer.data());
  at_ += again;
  if (!keeping_ && at_ == held_.size()) drop();
  if (again == buffer.size()) return again;
  const auto more = input_->read(buffer.subspan(again));
  if (!more) return more;
  const char* fresh = buffer.data() + again;
  if (keeping_ && max_memory_ && held_.size() + *more > max_memory_) {
    too_long_ = true; // which is told when someone needs it
    keeping_ = false;
    drop();
  }
  if (keeping_) {
    held_.insert(held_.end(), fresh, fresh + *more);
    at_ = held_.size();
  }
  return again + *more;
}

Result<void> KeptInput::rewind() {
  if (too_long_)
    return fail(
        ErrorCode::bad_data, source_,
        fmt::format("holds more than the limit of {} bytes, and its columns must be known before the fit", max_memory_),
        "raise --max-memory, or save it to a file first");
  if (!keeping_) return input_->rewind();
  at_ = 0;
  return {};
}

void KeptInput::let_go() {
  keeping_ = too_long_ = false;
}

void KeptInput::drop() {
  ByteVector().swap(held_);
  at_ = 0;
}

} // namespace recta
