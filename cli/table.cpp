#include "table.hpp"

#include "json.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::cli {

namespace {

// Characters, not bytes: continuation bytes of UTF-8 take no room.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// Control characters would move the cursor: a line break in a column's name must not break the table.
std::string printable(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return text;
}

} // namespace

std::string number_text(double value, int digits) {
  if (std::isnan(value)) return "-";
  if (digits >= 17) return shortest(value);
  return fmt::format("{:.{}g}", value, digits);
}

std::string bytes_text(std::uint64_t bytes) {
  const double b = static_cast<double>(bytes);
  if (b < 1e3) return fmt::format("{} B", bytes);
  if (b < 1e6) return fmt::format("{:.3g} kB", b / 1e3);
  if (b < 1e9) return fmt::format("{:.3g} MB", b / 1e6);
  return fmt::format("{:.3g} GB", b / 1e9);
}

std::string seconds_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 120) return fmt::format("{:.3g} s", seconds);
  return fmt::format("{:.0f} min {:.0f} s", std::floor(seconds / 60), std::fmod(seconds, 60));
}

std::string count_text(Index count, const char* one, const char* many) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3 && digits.size() > 4; at -= 3) digits.insert(at - 3, ",");
  return digits + " " + (count == 1 ? one : many);
}

std::vector<std::string> wrapped(const std::string& text, std::size_t most) {
  std::vector<std::string> lines(1);
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > most) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    at = end + 1;
  }
  return lines;
}

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], width(row[k]));
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const bool prose = last_left_ && k + 1 == widths.size();
      const std::string pad(widths[k] - width(row[k]), ' ');
      if (k > 0) line += "  ";
      line += k < left_ || prose ? printable(row[k]) + pad : pad + printable(row[k]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

} // namespace recta::cli
