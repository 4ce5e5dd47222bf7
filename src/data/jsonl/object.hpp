// One line of JSON, an object without objects or lists inside it (RFC 8259), key by key. NaN is taken as null, since
// common writers put it where a number is missing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace recta::jsonl {

enum class Kind : std::uint8_t { number, string, word, missing }; // word: true or false

struct Cell {
  Kind kind = Kind::missing;
  std::string_view text; // of a number as it is written; of a string without its quotes and escapes
};

struct Fault {
  std::string what, advice;
  std::size_t at = 0; // byte of the line
};

class ObjectReader {
public:
  // Calls take(key, cell) for every pair of a line that is not blank. The views end with the call. What take() returns
  // is a fault of this pair, which begins at its key.
  using Take = std::function<std::optional<Fault>(std::string_view key, const Cell& cell)>;
  std::optional<Fault> read(std::string_view line, const Take& take);

private:
  struct Stop {
    Fault fault;
  };
  void pair(const Take& take);
  Cell value(std::string_view key);
  std::string_view string(std::string& into);
  void escape(std::string& into);
  std::uint32_t hex();
  std::string_view number();
  std::string_view word();
  void skip_blanks();
  bool ended() const { return at_ == line_.size(); }
  char peek() const { return ended() ? '\0' : line_[at_]; }
  [[noreturn]] void stop(std::string what, std::string advice) const;
  std::string found_here() const;

  std::string_view line_;
  std::size_t at_ = 0;
  std::string key_, text_;
};

bool is_blank(std::string_view line);

} // namespace recta::jsonl
