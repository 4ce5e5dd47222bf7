#include "feature/map/lexer.hpp"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace recta::feature {
namespace {

bool digit(char c) {
  return c >= '0' && c <= '9';
}
bool letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

class Lexer {
public:
  explicit Lexer(const std::string& text) : text_(text) {}

  Result<std::vector<Token>> all() {
    while (skip_blanks(), at_ < text_.size()) {
      const char c = text_[at_];
      const auto done = letter(c)                                 ? name()
                        : digit(c) || (c == '.' && digit(next())) ? number()
                        : c == '`' || c == '"'                    ? quoted(c)
                                                                  : sign();
      if (!done) return std::unexpected(done.error());
    }
    tokens_.push_back({TokenKind::end, "", 0, place(), false});
    return std::move(tokens_);
  }

private:
  Index place() const { return static_cast<Index>(at_) + 1; }
  char next() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\0'; }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  Result<void> name() {
    const std::size_t first = at_;
    const Index position = place();
    while (at_ < text_.size() && (letter(text_[at_]) || digit(text_[at_]) || text_[at_] == '.')) ++at_;
    tokens_.push_back({TokenKind::name, text_.substr(first, at_ - first), 0, position, false});
    return {};
  }
  Result<void> number() {
    Token token{TokenKind::number, "", 0, place(), false};
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), token.number);
    token.text.assign(begin, end);
    if (error != std::errc{} || !std::isfinite(token.number))
      return map_fault(text_, token.position, "the number is not a double", "write it with fewer digits");
    at_ += static_cast<std::size_t>(end - begin);
    tokens_.push_back(std::move(token));
    return {};
  }
  Result<void> quoted(char quote) {
    Token token{TokenKind::name, "", 0, place(), true};
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] != quote) {
        token.text += text_[at_];
      } else if (next() == quote) {
        token.text += text_[++at_];
      } else {
        ++at_;
        tokens_.push_back(std::move(token));
        return {};
      }
    }
    return map_fault(text_, token.position, "the quoted name does not end", fmt::format("close it with {}", quote));
  }
  Result<void> sign() {
    const char c = text_[at_];
    if (std::string_view("+-*/^()[],=").find(c) == std::string_view::npos || c == '\0') {
      const bool shown = c > ' ' && c < 127;
      return map_fault(text_, place(), shown ? fmt::format("'{}' has no meaning here", c) : "a control character",
                       "write + - * / ^ ( ), numbers, columns and functions; quote other names as in `my column`");
    }
    tokens_.push_back({TokenKind::sign, std::string(1, c), 0, place(), false});
    ++at_;
    return {};
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

} // namespace

Result<std::vector<Token>> tokens_of(const std::string& text) {
  return Lexer(text).all();
}

std::unexpected<Error> map_fault(const std::string& text, Index position, const std::string& what,
                                 const std::string& advice) {
  constexpr std::size_t kShown = 120; // bytes of a long text; a cut inside a character is mended
  std::string shown = text.size() <= kShown ? text : text.substr(0, kShown);
  while (text.size() > kShown && !shown.empty() && (static_cast<unsigned char>(shown.back()) & 0xc0) == 0x80)
    shown.pop_back();
  if (shown.size() < text.size()) shown += "...";
  return fail(ErrorCode::usage, fmt::format("feature \"{}\"", shown),
              position > 0 ? fmt::format("at character {}: {}", position, what) : what, advice);
}

std::string quoted_name(const std::string& name) {
  bool plain = !name.empty() && letter(name[0]);
  for (const char c : name) plain = plain && (letter(c) || digit(c) || c == '.');
  if (plain) return name;
  std::string out = "`";
  for (const char c : name) out += c == '`' ? "``" : std::string(1, c);
  return out + "`";
}

std::string number_text(double x) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

std::unexpected<Error> TokenReader::expected(const std::string& what) const {
  const Token& token = peek();
  const std::string shown = token.kind == TokenKind::end ? "the end" : fmt::format("\"{}\"", token.text);
  const bool stars = at_ > 0 && at_sign('*') && tokens_[at_ - 1].text == "*";
  return map_fault(text_, token.position, fmt::format("{} stands where {} should", shown, what),
                   stars ? "a power is written ^" : "see docs/features.md, or recta fit --help");
}

} // namespace recta::feature
