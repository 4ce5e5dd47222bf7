#include "json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace recta::cli {

namespace {

// Length of the UTF-8 character at the front of `text`, 0 when the bytes there are none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80                     ? 1
                             : first >= 0xC2 && first <= 0xDF ? 2
                             : (first & 0xF0) == 0xE0         ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool surrogate = first == 0xED && byte(1) > 0x9F;
  const bool too_large = first == 0xF4 && byte(1) > 0x8F;
  return overlong || surrogate || too_large ? 0 : length;
}

bool stands_as_it_is(char c) { // ASCII that is shown and needs no backslash
  return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

void quote(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    if (const auto odd = std::ranges::find_if_not(text, stands_as_it_is); odd != text.begin()) {
      out.append(text.begin(), odd);
      text.remove_prefix(static_cast<std::size_t>(odd - text.begin()));
      continue;
    }
    const std::size_t length = character_length(text);
    const char c = text[0];
    if (length == 0) {
      out += "\uFFFD";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

} // namespace

std::string shortest(double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return error == std::errc{} ? std::string(buffer, end) : std::string();
}

void Json::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) text_ += level.one_line ? ", " : ",";
  if (!level.one_line) text_.append(1, '\n').append(2 * levels_.size(), ' ');
  level.empty = false;
}

Json& Json::open(char bracket, bool one_line) {
  separate();
  text_ += bracket;
  const bool inside_line = !levels_.empty() && levels_.back().one_line;
  levels_.push_back({bracket == '{' ? '}' : ']', one_line || inside_line});
  return *this;
}

Json& Json::end() {
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.empty && !level.one_line) text_.append(1, '\n').append(2 * levels_.size(), ' ');
  text_ += level.close;
  return *this;
}

Json& Json::key(std::string_view name) {
  separate();
  quote(text_, name);
  text_ += ": ";
  after_key_ = true;
  return *this;
}

Json& Json::raw(std::string_view token) {
  separate();
  text_ += token;
  return *this;
}

Json& Json::number(double v) {
  if (!std::isfinite(v)) return null();
  char buffer[32];
  return raw({buffer, std::to_chars(buffer, buffer + sizeof buffer, v).ptr});
}

Json& Json::string(std::string_view v) {
  separate();
  quote(text_, v);
  return *this;
}

} // namespace recta::cli
