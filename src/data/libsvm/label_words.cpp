#include "data/libsvm/label_words.hpp"

#include "data/dataset.hpp"
#include "data/libsvm/fault.hpp"

#include <algorithm>
#include <map>

namespace recta::libsvm {

LabelWords label_words(std::string_view lines) {
  LabelWords out;
  out.labels.name = "label";
  out.labels.type = ColumnType::category;
  out.text.reserve(lines.size() + lines.size() / 8);
  std::map<std::string, std::int32_t, std::less<>> codes;
  std::vector<std::string> words;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size() - 1) + 1;
    const std::string_view line = lines.substr(at, end - at);
    at = end;
    if (!row_line(line)) {
      out.text += line;
      continue;
    }
    const std::size_t first = line.find_first_not_of(" \t\r");
    const std::size_t last = std::min(line.find_first_of(" \t\r\n#", first), line.size());
    const std::string_view word = line.substr(first, last - first);
    const bool none = word.find(':') != word.npos;
    if (none) {
      out.labels.codes.push_back(-1);
      out.text.append("0 ").append(line);
      continue;
    }
    auto known = codes.find(word);
    if (known == codes.end()) {
      known = codes.emplace(word, static_cast<std::int32_t>(words.size())).first;
      words.emplace_back(word);
    }
    out.labels.codes.push_back(known->second);
    out.text.append(line.substr(0, first)).append("0").append(word.size() - 1, ' ').append(line.substr(last));
  }
  std::vector<std::int32_t> order(words.size()), place(words.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::int32_t>(k);
  const auto word_of = [&](std::int32_t k) -> const std::string& { return words[static_cast<std::size_t>(k)]; };
  std::ranges::sort(order, [&](std::int32_t a, std::int32_t b) { return level_less(word_of(a), word_of(b)); });
  for (std::size_t k = 0; k < order.size(); ++k) {
    place[static_cast<std::size_t>(order[k])] = static_cast<std::int32_t>(k);
    out.labels.levels.push_back(word_of(order[k]));
  }
  for (std::int32_t& code : out.labels.codes)
    if (code >= 0) code = place[static_cast<std::size_t>(code)];
  return out;
}

} // namespace recta::libsvm
