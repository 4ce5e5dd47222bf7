// Characters of UTF-8, one by one.
#pragma once

#include <string>
#include <string_view>

namespace recta::text {

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

// The code points of a text, which must be valid UTF-8.
inline std::u32string codes_of(std::string_view utf8) {
  std::u32string out;
  const char *next = utf8.data(), *const end = next + utf8.size();
  while (next < end) out.push_back(next_code(next));
  return out;
}
inline std::string utf8_of(std::u32string_view codes) {
  std::string out;
  char room[4];
  for (const char32_t code : codes) out.append(room, put_code(room, code));
  return out;
}

} // namespace recta::text
