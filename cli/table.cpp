#include "table.hpp"

#include <algorithm>

namespace recta::cli {

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

Table::Table(const std::vector<std::string>& heading, std::size_t left) {
  for (const std::string& title : heading) table_.columns.push_back({"", title.empty() ? " " : title});
  table_.left = left;
}

} // namespace recta::cli
