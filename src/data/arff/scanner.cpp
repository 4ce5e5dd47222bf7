#include "data/arff/scanner.hpp"

namespace recta::arff {
namespace {

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

char escaped(char c) {
  switch (c) {
  case 'n':
    return '\n';
  case 'r':
    return '\r';
  case 't':
    return '\t';
  default:
    return c;
  }
}

} // namespace

void Scanner::skip_blanks() {
  while (at_ < line_.size() && blank(line_[at_])) ++at_;
}

bool Scanner::ended() {
  skip_blanks();
  return at_ == line_.size() || line_[at_] == '%';
}

bool Scanner::take(char c) {
  skip_blanks();
  if (at_ == line_.size() || line_[at_] != c) return false;
  ++at_;
  return true;
}

std::optional<Word> Scanner::word(std::string_view stops) {
  if (ended()) return {};
  if (line_[at_] == '\'' || line_[at_] == '"') return quoted_word();
  const std::size_t begin = at_;
  while (at_ < line_.size() && !blank(line_[at_]) && stops.find(line_[at_]) == stops.npos) ++at_;
  if (at_ == begin) return {};
  return Word{line_.substr(begin, at_ - begin), begin, false};
}

std::optional<Word> Scanner::quoted_word() {
  const std::size_t begin = at_;
  const char quote = line_[at_];
  std::size_t end = at_ + 1;
  bool escapes = false;
  for (; end < line_.size() && line_[end] != quote; ++end)
    if (line_[end] == '\\') {
      escapes = true;
      ++end;
    }
  if (end >= line_.size()) return {};
  at_ = end + 1;
  const std::string_view inside = line_.substr(begin + 1, end - begin - 1);
  if (!escapes) return Word{inside, begin, true};
  unescaped_.clear();
  for (std::size_t k = 0; k < inside.size(); ++k)
    unescaped_.push_back(inside[k] == '\\' ? escaped(inside[++k]) : inside[k]);
  return Word{unescaped_, begin, true};
}

} // namespace recta::arff
