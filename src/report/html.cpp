// A page as HTML for notebooks: no scripts, and no styles but those of its elements. Objectives are mathematics, for
// MathJax.
#include "report/cells.hpp"
#include "report/mathematics.hpp"
#include "report/sentence.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::report {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\n':
      out += "<br>";
      break;
    default:
      out += c;
    }
  return out;
}

std::string_view colour_of(std::string_view state) {
  return state == "proved" ? "#1a7f37" : state == "refuted" ? "#cf222e" : "#9a6700";
}

std::string text_at(const Sentence& sentence, const char* key) {
  const Value& figure = figure_of(sentence, key);
  const std::string* text = std::get_if<std::string>(&figure.is);
  return text == nullptr ? "" : *text;
}

struct Printer {
  const Words& words;

  std::string operator()(const Sentence& sentence) const {
    const std::string text = in_words(sentence, words);
    if (sentence.key == "blank") return "";
    if (sentence.key == "certificate") {
      const std::string state = text_at(sentence, "state");
      return fmt::format(
          "<div style='border-left:4px solid {0};padding-left:8px'><b style='color:{0}'>{1}</b> {2}</div>\n",
          colour_of(state), state, escaped(text));
    }
    if (sentence.key == "objective") {
      const std::string objective = text_at(sentence, "objective");
      return fmt::format("<div>$${}$$</div><div><code>{}</code></div>\n", escaped(mathematics(objective)),
                         escaped(objective));
    }
    const std::size_t tab = text.find('\t');
    if (tab == std::string::npos) return "<div>" + escaped(text) + "</div>\n";
    return fmt::format("<div><i>{}</i> {}</div>\n", escaped(text.substr(0, tab)), escaped(text.substr(tab + 1)));
  }
  std::string operator()(const Heading& heading) const {
    const std::string text = in_words(heading.sentence, words);
    const std::size_t tab = std::min(text.find('\t'), text.size());
    return fmt::format("<div><b>{}</b>{}</div>\n", escaped(text.substr(0, tab)),
                       escaped(text.substr(std::min(tab + 1, text.size()))));
  }
  std::string operator()(const Shown& shown) const {
    const Cells cells = cells_of(shown, words);
    std::string text = cells.title.empty() ? "" : "<div><b>" + escaped(cells.title) + "</b></div>\n";
    if (!cells.rows.empty() && !cells.rows[0].empty()) text += "<table>" + rows_text(cells) + "</table>\n";
    for (const Sentence& more : cells.more) text += (*this)(more);
    return text;
  }
  std::string operator()(const Lines& lines) const {
    std::string text;
    for (const Sentence& line : lines_of(lines, words)) text += (*this)(line);
    return text;
  }

  static std::string rows_text(const Cells& cells) {
    std::string text;
    for (const auto& row : cells.rows) {
      const bool titles = !cells.headless && &row == cells.rows.data();
      text += "<tr>";
      for (const std::string& cell : row)
        text += titles ? "<th>" + escaped(cell) + "</th>" : "<td>" + escaped(cell) + "</td>";
      text += "</tr>";
    }
    return text;
  }
};

} // namespace

std::string to_html(const std::vector<Section>& page, const Words& words) {
  std::string out;
  for (const Section& section : page) {
    out += "<div style='margin-bottom:8px'>";
    for (const Item& item : section) out += std::visit(Printer{words}, item);
    out += "</div>\n";
  }
  return out;
}

} // namespace recta::report
