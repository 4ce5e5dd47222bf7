// Cuts an input into blocks of whole lines, for formats in which a row is a line. A byte order mark is left out.
#pragma once

#include "data/block_reader.hpp"
#include "data/input.hpp"

namespace recta {

class LineCutter {
public:
  explicit LineCutter(std::unique_ptr<Input> input) : input_(std::move(input)) {}

  const std::string& source() const { return input_->source(); }

  // The next line, its newline included, or what is left at the end; empty: there is no more. It stays where it is
  // until the next call.
  Result<std::string_view> line();
  // Lines until `rows` of them count as rows. The block's last line always ends in a newline. false: no more rows.
  Result<bool> cut(Index rows, bool (*is_row)(std::string_view line), RawBlock& block);
  Result<void> rewind();

private:
  Result<bool> fill(); // false: the end was reached before

  std::unique_ptr<Input> input_;
  ByteVector buffer_;
  std::size_t at_ = 0, size_ = 0; // unread bytes: [at_, size_)
  bool started_ = false, ended_ = false;
  Index line_ = 1, row_ = 0; // of what comes next
};

} // namespace recta
