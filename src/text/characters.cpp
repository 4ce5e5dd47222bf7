#include "text/characters.hpp"

#include <recta/text.hpp>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utf8proc.h>

namespace recta::text {
namespace {

constexpr char32_t kTabled = 0x20000; // the planes that texts are written in; others are looked up each time

bool is_emoji(char32_t code, utf8proc_category_t category) {
  if (category != UTF8PROC_CATEGORY_SO) return false;
  return (code >= 0x1F000 && code < 0x1FB00) || (code >= 0x2600 && code < 0x27C0) || (code >= 0x2B00 && code < 0x2C00);
}

// Scripts without blanks between words: a character is a word. Katakana is written in runs and stays together.
bool is_ideograph(char32_t code) {
  return (code >= 0x3041 && code < 0x30A0) || (code >= 0x3400 && code < 0x4DC0) || (code >= 0x4E00 && code < 0xA000) ||
         (code >= 0xF900 && code < 0xFB00) || (code >= 0x20000 && code < 0x32000);
}

Kind kind_of(char32_t code) {
  const utf8proc_category_t category = utf8proc_category(static_cast<utf8proc_int32_t>(code));
  switch (category) {
  case UTF8PROC_CATEGORY_LU:
  case UTF8PROC_CATEGORY_LL:
  case UTF8PROC_CATEGORY_LT:
  case UTF8PROC_CATEGORY_LM:
  case UTF8PROC_CATEGORY_LO:
    return is_ideograph(code) ? Kind::ideograph : Kind::word;
  case UTF8PROC_CATEGORY_ND:
  case UTF8PROC_CATEGORY_NL:
  case UTF8PROC_CATEGORY_NO:
    return Kind::word;
  case UTF8PROC_CATEGORY_MN:
  case UTF8PROC_CATEGORY_MC:
  case UTF8PROC_CATEGORY_ME:
    return Kind::mark;
  case UTF8PROC_CATEGORY_ZS:
  case UTF8PROC_CATEGORY_ZL:
  case UTF8PROC_CATEGORY_ZP:
    return Kind::blank;
  default:
    if (code == '_') return Kind::underscore;
    if ((code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x1F) || code == 0x85) return Kind::blank;
    return is_emoji(code, category) ? Kind::emoji : Kind::other;
  }
}

constexpr auto kFolding = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT |
                                                         UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);

constexpr auto kApart = static_cast<utf8proc_option_t>((kFolding & ~UTF8PROC_COMPOSE) | UTF8PROC_DECOMPOSE);

Character looked_up(char32_t code) {
  Character out{.folded = code, .kind = kind_of(code)};
  out.folded_kind = out.kind;
  const utf8proc_property_t* property = utf8proc_get_property(static_cast<utf8proc_int32_t>(code));
  const bool jamo = (code >= 0x1100 && code < 0x1200) || (code >= 0xA960 && code < 0xA980) ||
                    (code >= 0xAC00 && code < 0xD7FC); // letters of Hangul compose
  out.joins = out.kind == Kind::mark || property->combining_class != 0 || property->ignorable || jamo;
  if (out.joins) return out;
  utf8proc_int32_t parts[32];
  int boundary = 0;
  const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code), parts, 32, kApart, &boundary);
  if (count < 1 || count > 32) {
    out.joins = true;
    return out;
  }
  const auto length = utf8proc_normalize_utf32(parts, count, kFolding);
  out.joins = length != 1;
  if (out.joins) return out;
  out.folded = static_cast<char32_t>(parts[0]);
  out.folded_kind = kind_of(out.folded);
  return out;
}

// 21 bits of the folded character, 3 of the kind, one for `joins`, one that says the rest is set, 3 of the kind of the
// folded character.
std::uint32_t packed(const Character& c) {
  return static_cast<std::uint32_t>(c.folded) | static_cast<std::uint32_t>(c.kind) << 21 | (c.joins ? 1U << 24 : 0U) |
         1U << 25 | static_cast<std::uint32_t>(c.folded_kind) << 26;
}
Character unpacked(std::uint32_t bits) {
  return {.folded = bits & 0x1FFFFF,
          .kind = static_cast<Kind>(bits >> 21 & 7),
          .folded_kind = static_cast<Kind>(bits >> 26 & 7),
          .joins = (bits >> 24 & 1) != 0};
}

// Zeros until a character is asked for. Two threads that set the same place write the same number.
std::atomic<std::uint32_t>* table() {
  static const auto entries = std::make_unique<std::atomic<std::uint32_t>[]>(kTabled);
  return entries.get();
}

} // namespace

Character character(char32_t code) {
  if (code >= kTabled) return looked_up(code);
  static std::atomic<std::uint32_t>* const entries = table();
  std::uint32_t bits = entries[code].load(std::memory_order_relaxed);
  if (bits == 0) {
    bits = packed(looked_up(code));
    entries[code].store(bits, std::memory_order_relaxed);
  }
  return unpacked(bits);
}

bool is_ascii(std::string_view text) {
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left >= 8; at += 8, left -= 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    if (word & 0x8080808080808080) return false;
  }
  for (; left > 0; ++at, --left)
    if (static_cast<unsigned char>(*at) >= 0x80) return false;
  return true;
}

std::string fold_unicode(std::string_view text) {
  utf8proc_uint8_t* out = nullptr;
  const auto length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                   static_cast<utf8proc_ssize_t>(text.size()), &out, kFolding);
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned(out, &std::free);
  if (length < 0) throw std::bad_alloc(); // the text is valid: only memory can be short
  return {reinterpret_cast<const char*>(out), static_cast<std::size_t>(length)};
}

} // namespace recta::text

namespace recta {

std::string folded(std::string_view text, Folding folding) {
  if (folding == Folding::none) return std::string(text);
  if (folding == Folding::unicode && !text::is_ascii(text)) return text::fold_unicode(text);
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return out;
}

} // namespace recta
