// The text of a table as it passes by: a window that moves over memory, or over an input of which no more than the
// window is kept.
#pragma once

#include "data/input.hpp"

#include <string_view>

namespace recta::csv {

class TextWindow {
public:
  explicit TextWindow(std::string_view text) : text_(text), total_(text.size()) {}
  explicit TextWindow(Input& input) : input_(&input), total_(input.size()), all_read_(false) {}

  std::string_view view() const { return view_; }
  bool last() const { return all_read_ && view_.size() == text_.size(); } // it reaches the end of the text
  std::size_t end() const { return begin_ + view_.size(); }               // bytes up to there
  std::size_t total() const { return total_; }                            // bytes in all; 0: not known

  // Leaves the first `used` bytes behind, and holds `size` bytes then; fewer at the end of the text.
  Result<void> move(std::size_t used, std::size_t size, Pool& pool);

private:
  Result<void> refill(std::size_t size, Pool& pool);

  std::string_view text_;  // in memory, or what was read of the input and not left behind
  Input* input_ = nullptr; // none: the text lies in memory
  ByteVector buffer_;
  std::string_view view_;
  std::size_t begin_ = 0; // bytes before the window
  std::size_t total_ = 0; // 0: not known
  bool all_read_ = true;
};

} // namespace recta::csv
