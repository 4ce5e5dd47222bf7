// What a character is to the reader of words, and what it is folded to.
//
// NFKC with case folding (UTF8PROC_COMPAT | CASEFOLD | IGNORE, then composition) of a text is that of its characters
// one by one, unless one of them is made of several or may join with its neighbours. Nearly all texts have no such
// character, so a table by character answers; the table fills itself as characters come up.
#pragma once

#include "base/utf8.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace recta::text {

// ideograph, emoji: a word by itself.
enum class Kind : std::uint8_t { other, word, mark, ideograph, emoji, underscore, blank };

struct Character {
  char32_t folded = 0; // itself if it stays as it is
  Kind kind = Kind::other, folded_kind = kind;
  bool joins = false; // what it is folded to depends on its neighbours, or is not one character
};

Character character(char32_t code);

bool is_ascii(std::string_view text);

// NFKC with case folding of a whole text, which must be valid UTF-8.
std::string fold_unicode(std::string_view text);

} // namespace recta::text
