#include "data/csv/text_window.hpp"

#include <algorithm>

namespace recta::csv {

Result<void> TextWindow::move(std::size_t used, std::size_t size, Pool& pool) {
  begin_ += used;
  text_.remove_prefix(used);
  if (!all_read_ && text_.size() < size)
    if (auto done = refill(size, pool); !done) return done;
  view_ = text_.substr(0, size);
  return {};
}

// Makes the text `size` bytes long, or as long as the input is.
Result<void> TextWindow::refill(std::size_t size, Pool& pool) {
  const std::size_t kept = text_.size();
  if (size > buffer_.size()) {
    ByteVector larger(size);
    std::copy_n(text_.data(), kept, larger.data());
    buffer_ = std::move(larger);
  } else {
    std::copy_n(text_.data(), kept, buffer_.data()); // to the left
  }
  std::size_t room = size - kept;
  if (total_) room = std::min(room, total_ - begin_ - kept); // a file that grows meanwhile is read as it was
  auto count = input_->read_parts(std::span(buffer_).subspan(kept, room), pool);
  if (!count) return std::unexpected(count.error());
  text_ = {buffer_.data(), kept + *count};
  all_read_ = total_ ? begin_ + text_.size() == total_ : *count < room;
  return {};
}

} // namespace recta::csv
