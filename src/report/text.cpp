// A page as text for a terminal.
#include "report/cells.hpp"
#include "report/sentence.hpp"

#include <algorithm>

namespace recta::report {
namespace {

constexpr std::size_t kLabel = 11; // characters of a line's label

// Characters, not bytes: continuation bytes of UTF-8 take no room.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// Control characters would move the cursor: a line break in a column's name must not break the table.
std::string printable(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  return text;
}

struct Layout {
  std::size_t left;
  bool prose;

  std::string text(const std::vector<std::vector<std::string>>& rows) const {
    std::vector<std::size_t> widths(rows.empty() ? 0 : rows[0].size());
    for (const auto& row : rows)
      for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], width(row[k]));
    std::string out;
    for (const auto& row : rows) {
      std::string line;
      for (std::size_t k = 0; k < row.size(); ++k) {
        const std::string pad(widths[k] - width(row[k]), ' ');
        if (k > 0) line += "  ";
        line += k < left || (prose && k + 1 == widths.size()) ? printable(row[k]) + pad : pad + printable(row[k]);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
    return out;
  }
};

struct Printer {
  const Words& words;

  std::string bold(const std::string& text) const { return words.bold ? "\x1b[1m" + text + "\x1b[0m" : text; }
  std::string operator()(const Sentence& sentence) const {
    std::string text = in_words(sentence, words);
    const std::size_t tab = text.find('\t');
    if (tab == std::string::npos) return text + "\n";
    text.replace(tab, 1, std::string(std::max(kLabel, tab + 1) - tab, ' '));
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
      text.insert(at + 1, kLabel, ' ');
    return text + "\n";
  }
  std::string operator()(const Heading& heading) const {
    const std::string text = in_words(heading.sentence, words);
    const std::size_t tab = std::min(text.find('\t'), text.size());
    return bold(text.substr(0, tab)) + text.substr(std::min(tab + 1, text.size())) + "\n";
  }
  std::string operator()(const Shown& shown) const {
    const Cells cells = cells_of(shown, words);
    std::string text = cells.title.empty() ? "" : bold(cells.title) + "\n";
    if (!cells.rows.empty() && !cells.rows[0].empty()) text += Layout{cells.left, cells.prose}.text(cells.rows);
    for (const Sentence& more : cells.more) text += (*this)(more);
    return text;
  }
  std::string operator()(const Lines& lines) const {
    std::string text;
    for (const Sentence& line : lines_of(lines, words)) text += (*this)(line);
    return text;
  }
};

} // namespace

std::string to_text(const std::vector<Section>& page, const Words& words) {
  std::string out;
  for (const Section& section : page) {
    if (&section != page.data()) out += "\n";
    for (const Item& item : section) out += std::visit(Printer{words}, item);
  }
  return out;
}

std::string to_text(const Sentence& sentence, const Words& words) {
  std::string text = in_words(sentence, words);
  std::ranges::replace(text, '\t', ' ');
  return text;
}

} // namespace recta::report
