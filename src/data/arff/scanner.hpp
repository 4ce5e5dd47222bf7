// Words of one ARFF line: bare, or in single or double quotes with backslash escapes. A line never continues on the
// next one, so neither does a word.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace recta::arff {

struct Word {
  std::string_view text;
  std::size_t at = 0; // where it begins in the line
  bool quoted = false;

  bool missing() const { return !quoted && text == "?"; }
};

class Scanner {
public:
  explicit Scanner(std::string_view line) : line_(line) {}

  std::size_t at() const { return at_; }
  bool ended(); // nothing is left but blanks or a comment
  bool take(char c);
  // The next word, up to a blank or one of `stops`. Nothing: there is none, or its quote is not closed. The text of
  // a word with escapes lasts until the next call.
  std::optional<Word> word(std::string_view stops);
  std::string_view rest() const { return line_.substr(at_); }

private:
  void skip_blanks();
  std::optional<Word> quoted_word();

  std::string_view line_;
  std::size_t at_ = 0;
  std::string unescaped_;
};

} // namespace recta::arff
