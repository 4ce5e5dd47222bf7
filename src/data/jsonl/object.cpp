#include "data/jsonl/object.hpp"

#include "data/dataset.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::jsonl {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

void put_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12);
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3F));
    }
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
}

} // namespace

bool is_blank(std::string_view line) {
  return std::ranges::all_of(line, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
}

void ObjectReader::stop(std::string what, std::string advice) const {
  throw Stop{{std::move(what), std::move(advice), at_}};
}

std::string ObjectReader::found_here() const {
  return ended() ? "here the line ends" : "here is " + shown(line_.substr(at_, 12));
}

void ObjectReader::skip_blanks() {
  while (!ended() && (line_[at_] == ' ' || line_[at_] == '\t' || line_[at_] == '\r')) ++at_;
}

std::uint32_t ObjectReader::hex() {
  std::uint32_t code = 0;
  for (int k = 0; k < 4; ++k, ++at_) {
    const char c = peek();
    const bool letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (!is_digit(c) && !letter)
      stop("\\u needs four hexadecimal digits", "write it as \\u00e9, or the character itself");
    code = code << 4 | static_cast<std::uint32_t>(is_digit(c) ? c - '0' : (c | 32) - 'a' + 10);
  }
  return code;
}

void ObjectReader::escape(std::string& into) {
  constexpr std::string_view kNames = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
  const std::size_t begin = at_++;
  if (const std::size_t place = kNames.find(peek()); !ended() && place != kNames.npos) {
    ++at_;
    into += kMeant[place];
    return;
  }
  if (peek() != 'u') {
    at_ = begin;
    stop("a backslash is followed by a character that it does not escape", "write it twice if it belongs to the text");
  }
  ++at_;
  std::uint32_t code = hex();
  const auto half = [&](const char* what) {
    at_ = begin;
    stop(fmt::format("\\u{:04x} is {} of a surrogate pair without the other", code, what),
         "write both halves, as \\ud83d\\ude00, or the character itself");
  };
  if (code >= 0xDC00 && code < 0xE000) half("the second half");
  if (code >= 0xD800 && code < 0xDC00) {
    if (line_.substr(at_, 2) != "\\u") half("the first half");
    at_ += 2;
    const std::uint32_t low = hex();
    if (low < 0xDC00 || low >= 0xE000) half("the first half");
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  if (code == 0) {
    at_ = begin;
    stop("a text has a NUL character", "leave it out");
  }
  put_utf8(into, code);
}

// A view of the line itself if nothing in it is escaped.
std::string_view ObjectReader::string(std::string& into) {
  const std::size_t begin = at_++;
  const std::size_t first = at_;
  into.clear();
  bool copied = false;
  for (;;) {
    if (ended()) {
      at_ = begin;
      stop("the quote that opens here is never closed", "close it on the same line; a line break inside a text is \\n");
    }
    const char c = line_[at_];
    if (c == '"') break;
    if (static_cast<unsigned char>(c) < 0x20)
      stop(fmt::format("a control character, 0x{:02x}, stands inside a text", static_cast<unsigned char>(c)),
           "escape it, as \\t or \\n");
    if (c != '\\') {
      if (copied) into += c;
      ++at_;
      continue;
    }
    if (!copied) into.assign(line_.substr(first, at_ - first));
    copied = true;
    escape(into);
  }
  const std::string_view plain = line_.substr(first, at_ - first);
  ++at_;
  return copied ? std::string_view(into) : plain;
}

std::string_view ObjectReader::number() {
  const std::size_t begin = at_;
  const auto digits = [&] {
    if (!is_digit(peek())) {
      at_ = begin;
      stop(fmt::format("{} is not a number", shown(line_.substr(begin, line_.find_first_of(",} \t\r", begin) - begin))),
           "put quotes round a text");
    }
    while (is_digit(peek())) ++at_;
  };
  if (peek() == '-') ++at_;
  const bool zero = peek() == '0';
  const std::size_t first = at_;
  digits();
  if (zero && at_ > first + 1) {
    at_ = begin;
    stop("a number begins with 0", "leave out the zero, or put quotes round it if it is a text");
  }
  if (peek() == '.') {
    ++at_;
    digits();
  }
  if (peek() == 'e' || peek() == 'E') {
    ++at_;
    if (peek() == '+' || peek() == '-') ++at_;
    digits();
  }
  return line_.substr(begin, at_ - begin);
}

std::string_view ObjectReader::word() {
  const std::size_t begin = at_;
  while (!ended() && ((line_[at_] | 32) >= 'a' && (line_[at_] | 32) <= 'z')) ++at_;
  return line_.substr(begin, at_ - begin);
}

Cell ObjectReader::value(std::string_view key) {
  const char c = peek();
  if (c == '"') return {Kind::string, string(text_)};
  if (c == '-' || is_digit(c)) return {Kind::number, number()};
  if (c == '{' || c == '[')
    stop(fmt::format("the key {} holds {}", shown(key), c == '{' ? "an object" : "a list"),
         "a cell is a number, a text, true, false or null; write its parts as keys of their own");
  const std::size_t begin = at_;
  const std::string_view literal = word();
  if (literal == "true" || literal == "false") return {Kind::word, literal};
  if (literal == "null" || literal == "NaN") return {};
  at_ = begin;
  stop(fmt::format("the key {} needs a value, and {}", shown(key), found_here()),
       "a cell is a number, a text in quotes, true, false or null");
}

void ObjectReader::pair(const Take& take) {
  skip_blanks();
  if (peek() != '"')
    stop(fmt::format("a key in quotes is expected, and {}", found_here()),
         peek() == '}' ? "leave out the comma before it" : "write it as \"key\": value");
  const std::size_t begin = at_;
  const std::string_view key = string(key_);
  skip_blanks();
  if (peek() != ':')
    stop(fmt::format("a colon is expected after the key {}", shown(key)), "write it as \"key\": value");
  ++at_;
  skip_blanks();
  const Cell cell = value(key);
  const std::size_t end = at_;
  at_ = begin;
  if (auto fault = take(key, cell)) stop(std::move(fault->what), std::move(fault->advice));
  at_ = end;
  skip_blanks();
}

std::optional<Fault> ObjectReader::read(std::string_view line, const Take& take) {
  line_ = line;
  at_ = 0;
  try {
    skip_blanks();
    if (peek() == '[')
      stop("a list begins here, and one object per line is expected", "jq -c '.[]' writes a list of objects so");
    if (peek() != '{')
      stop(fmt::format("an object in {{}} is expected, and {}", found_here()),
           "write one object per line, as {\"height\": 1.8, \"name\": \"Ann\"}");
    ++at_;
    skip_blanks();
    if (peek() != '}') pair(take);
    while (peek() == ',') {
      ++at_;
      pair(take);
    }
    if (ended()) stop("the object is not closed", "end it with } on the same line");
    if (peek() != '}')
      stop(fmt::format("a comma or }} is expected, and {}", found_here()),
           "put a comma between pairs, and quotes round a text");
    ++at_;
    skip_blanks();
    if (!ended()) stop("something follows the object", "one object per line");
  } catch (Stop& stopped) {
    return std::move(stopped.fault);
  }
  return {};
}

} // namespace recta::jsonl
