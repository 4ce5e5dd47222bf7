#include "plot/text.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>

namespace recta::plot {
namespace {

constexpr std::string_view kUnknown = "\xEF\xBF\xBD"; // U+FFFD
constexpr std::string_view kMinus = "\xE2\x88\x92";   // U+2212
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";

// Advance widths of a common sans-serif face from U+0020 on, in thousandths of the font size.
constexpr std::array<std::uint16_t, 95> kWidths = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};
constexpr double kWider = 1.12; // some faces are wider than that

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool good = false;
};

// The character at the head of `text`, which is not empty; not good: one byte that is no UTF-8.
Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  char32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t k = 1; k < bytes; ++k) {
    const auto next = static_cast<unsigned char>(text[k]);
    if ((next & 0xC0U) != 0x80U) return {};
    code = (code << 6U) | (next & 0x3FU);
  }
  constexpr std::array<char32_t, 5> kLowest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kLowest[bytes] || surrogate || code > 0x10FFFF) return {};
  return {code, bytes, true};
}

bool in_xml(char32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code != 0x7F && code != 0xFFFE && code != 0xFFFF;
}

double width_of(char32_t code) {
  if (code >= 0x20 && code < 0x7F) return kWidths[code - 0x20];
  if (code >= 0x300 && code < 0x370) return 0; // combining marks
  return code < 0x1100 ? 600 : code < 0x2E80 ? 560 : 1000;
}

std::string superscript(int number) {
  constexpr std::array<std::string_view, 10> kDigits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(number))) text += kDigits[static_cast<std::size_t>(c - '0')];
  return text;
}

// Digits with a point `places` before their end.
std::string with_point(std::string digits, int places) {
  if (places <= 0) return digits + std::string(static_cast<std::size_t>(-places), '0');
  const auto p = static_cast<std::size_t>(places);
  if (digits.size() <= p) digits.insert(0, p + 1 - digits.size(), '0');
  return digits.insert(digits.size() - p, ".");
}

} // namespace

std::string escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Character c = first_character(text);
    if (!c.good || !in_xml(c.code)) {
      out += kUnknown;
    } else if (c.code == '&') {
      out += "&amp;";
    } else if (c.code == '<') {
      out += "&lt;";
    } else if (c.code == '>') {
      out += "&gt;";
    } else if (c.code == '"') {
      out += "&quot;";
    } else if (c.code < 0x20) {
      out += ' ';
    } else {
      out += text.substr(0, c.bytes);
    }
    text.remove_prefix(c.bytes);
  }
  return out;
}

std::string pixels(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

double text_width(std::string_view text, double font_size) {
  double width = 0;
  while (!text.empty()) {
    const Character c = first_character(text);
    width += c.good ? width_of(c.code) : 1000;
    text.remove_prefix(c.bytes);
  }
  return width * font_size * kWider / 1000;
}

std::string fitted(std::string_view text, double font_size, double width) {
  if (text_width(text, font_size) <= width) return std::string(text);
  const double room = width - text_width(kEllipsis, font_size);
  std::size_t end = 0;
  for (double used = 0; end < text.size();) {
    const Character c = first_character(text.substr(end));
    used += text_width(text.substr(end, c.bytes), font_size);
    if (used > room) break;
    end += c.bytes;
  }
  return std::string(text.substr(0, end)) + std::string(kEllipsis);
}

std::string power_of_ten(int exponent) {
  return "10" + superscript(exponent);
}

std::string decimal(long long digits, int exponent) {
  if (digits == 0) return "0";
  while (digits % 10 == 0) {
    digits /= 10;
    ++exponent;
  }
  std::string text = std::to_string(std::llabs(digits));
  const int lead = exponent + static_cast<int>(text.size()) - 1; // exponent of the first digit
  const std::string sign(digits < 0 ? kMinus : "");
  if (lead >= -4 && lead < 6) return sign + with_point(text, -exponent);
  if (text == "1") return sign + power_of_ten(lead);
  return sign + with_point(text, static_cast<int>(text.size()) - 1) + "×" + power_of_ten(lead);
}

std::string rounded(double value, int significant) {
  if (!std::isfinite(value)) return std::isnan(value) ? "NaN" : value > 0 ? "∞" : std::string(kMinus) + "∞";
  const std::string text = fmt::format("{:.{}e}", value, significant - 1); // d.ddde+xx
  const std::size_t e = text.find('e');
  std::string digits = text.substr(0, e);
  std::erase(digits, '.');
  return decimal(std::stoll(digits), std::stoi(text.substr(e + 1)) - (significant - 1));
}

} // namespace recta::plot
