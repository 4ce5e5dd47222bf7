// The words and signs of a feature map's text, each with its place, so that a mistake can be pointed at.
//
// Names are letters, digits, "_" and "." beginning with a letter, or any text between backticks or double quotes, the
// quote itself doubled. Bytes above 127 are letters. Numbers are decimal, with a point and an exponent.
#pragma once

#include <recta/error.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace recta::feature {

enum class TokenKind : std::uint8_t { name, number, sign, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string text; // of a name, without its quotes; of a sign, the character
  double number = 0;
  Index position = 0; // position of its first byte, from 1
  bool quoted = false;
};

// The end is a token too.
Result<std::vector<Token>> tokens_of(const std::string& text);

// An error of the text at a place.
std::unexpected<Error> map_fault(const std::string& text, Index position, const std::string& what,
                                 const std::string& advice);

// A name as the text of a map has to write it: quoted if it is more than letters and digits.
std::string quoted_name(const std::string& name);
std::string number_text(double x); // the fewest digits that read back

// Walks over the tokens of one text.
class TokenReader {
public:
  TokenReader(const std::string& text, const std::vector<Token>& tokens) : text_(text), tokens_(tokens) {}
  const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  Token take() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool at_sign(char sign, std::size_t ahead = 0) const {
    return peek(ahead).kind == TokenKind::sign && peek(ahead).text[0] == sign;
  }
  bool take_sign(char sign) {
    const bool there = at_sign(sign);
    if (there) take();
    return there;
  }
  const std::string& text() const { return text_; }
  std::unexpected<Error> expected(const std::string& what) const; // "found ..., where ... should stand"

private:
  const std::string& text_;
  const std::vector<Token>& tokens_;
  std::size_t at_ = 0;
};

} // namespace recta::feature
