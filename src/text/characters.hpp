// What a character is to the reader of words, and what it is folded to.
//
// NFKC with case folding (UTF8PROC_COMPAT | CASEFOLD | IGNORE, then composition) of a text is that of its characters
// one by one, unless one of them is made of several or may join with its neighbours. Nearly all texts have no such
// character, so a table by character answers; the table fills itself as characters come up.
#pragma once

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

// Reads the character that begins at `at`, which must be valid UTF-8, and moves on.
inline char32_t next_code(const char*& at) {
  const auto byte = [&] { return static_cast<unsigned char>(*at++); };
  const char32_t lead = byte();
  if (lead < 0x80) return lead;
  const auto more = [&] { return byte() & 0x3Fu; };
  if (lead < 0xE0) return (lead & 0x1F) << 6 | more();
  if (lead < 0xF0) {
    const char32_t middle = more() << 6;
    return (lead & 0x0F) << 12 | middle | more();
  }
  const char32_t second = more() << 12, third = more() << 6;
  return (lead & 0x07) << 18 | second | third | more();
}

// Writes a character at `out`, which has room for four bytes, and returns the end.
inline char* put_code(char* out, char32_t code) {
  if (code < 0x80) {
    *out++ = static_cast<char>(code);
  } else if (code < 0x800) {
    *out++ = static_cast<char>(0xC0 | code >> 6);
    *out++ = static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    *out++ = static_cast<char>(0xE0 | code >> 12);
    *out++ = static_cast<char>(0x80 | (code >> 6 & 0x3F));
    *out++ = static_cast<char>(0x80 | (code & 0x3F));
  } else {
    *out++ = static_cast<char>(0xF0 | code >> 18);
    *out++ = static_cast<char>(0x80 | (code >> 12 & 0x3F));
    *out++ = static_cast<char>(0x80 | (code >> 6 & 0x3F));
    *out++ = static_cast<char>(0x80 | (code & 0x3F));
  }
  return out;
}

bool is_ascii(std::string_view text);

// NFKC with case folding of a whole text, which must be valid UTF-8.
std::string fold_unicode(std::string_view text);

} // namespace recta::text
