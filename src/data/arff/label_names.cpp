// The labels that MULAN's XML names beside an ARFF file:
//   <labels xmlns="http://mulan.sourceforge.net/labels"><label name="beach"></label> ... </labels>
// A label may stand inside another, as its kind; both are labels. Of XML this reads tags, attributes, comments,
// declarations and the five named entities with numbers of characters; nothing else belongs into such a file.
#include "base/guard.hpp"
#include "data/dataset.hpp"
#include "data/input.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

void append_utf8(std::string& out, std::uint32_t point) {
  const auto add = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (point < 0x80) return add(point);
  if (point < 0x800) return add(0xC0 | point >> 6), add(0x80 | (point & 0x3F));
  if (point < 0x10000) return add(0xE0 | point >> 12), add(0x80 | (point >> 6 & 0x3F)), add(0x80 | (point & 0x3F));
  add(0xF0 | point >> 18), add(0x80 | (point >> 12 & 0x3F)), add(0x80 | (point >> 6 & 0x3F)),
      add(0x80 | (point & 0x3F));
}

// The character that an entity stands for is appended; false: it is none.
bool append_entity(std::string_view name, std::string& out) {
  constexpr std::pair<std::string_view, char> kNamed[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [word, character] : kNamed)
    if (word == name) {
      out.push_back(character);
      return true;
    }
  if (!name.starts_with('#')) return false;
  const bool hexadecimal = name.starts_with("#x");
  const std::string_view digits = name.substr(hexadecimal ? 2 : 1);
  std::uint32_t point = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), point, hexadecimal ? 16 : 10);
  const bool surrogate = point >= 0xD800 && point < 0xE000;
  if (fault != std::errc{} || end != digits.data() + digits.size() || point == 0 || point > 0x10FFFF || surrogate)
    return false;
  append_utf8(out, point);
  return true;
}

class LabelNames {
public:
  LabelNames(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  Result<std::vector<std::string>> read() {
    bool root = false;
    while ((at_ = text_.find('<', at_)) != text_.npos) {
      if (skipped("<!--", "-->") || skipped("<?", "?>") || skipped("<!", ">") || skipped("</", ">")) continue;
      ++at_;
      const std::string_view tag = word();
      root = root || tag == "labels";
      if (tag != "labels" && tag != "label")
        return wrong(fmt::format("<{}> is not one of MULAN's tags", tag),
                     "the file holds <labels> and <label name=\"...\">");
      if (auto done = attributes(tag == "label"); !done) return std::unexpected(done.error());
    }
    if (!root || names_.empty())
      return fail(ErrorCode::bad_data, source_, "it names no labels",
                  "give MULAN's XML, which has <label name=\"...\">");
    return names_;
  }

private:
  std::unexpected<Error> wrong(const std::string& what, std::string_view advice) const {
    const std::string_view before = text_.substr(0, std::min(at_, text_.size()));
    return fail(ErrorCode::bad_data, fmt::format("{}:{}", source_, 1 + std::ranges::count(before, '\n')), what, advice);
  }

  bool skipped(std::string_view begin, std::string_view end) {
    if (!text_.substr(at_).starts_with(begin)) return false;
    const std::size_t place = text_.find(end, at_ + begin.size());
    at_ = place == text_.npos ? text_.size() : place + end.size();
    return true;
  }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size()); }

  std::string_view word() {
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n=/>", at_), text_.size());
    const std::string_view word_text = text_.substr(at_, end - at_);
    at_ = end;
    return word_text;
  }

  // From after the name of a tag to its end.
  Result<void> attributes(bool label) {
    bool named = false;
    while (true) {
      skip_blanks();
      if (at_ >= text_.size()) return wrong("a tag does not end", "the file is cut off");
      if (text_[at_] == '/' || text_[at_] == '>') break;
      const std::string_view name = word();
      skip_blanks();
      if (at_ >= text_.size() || text_[at_] != '=') return wrong("an attribute has no value", "write name=\"...\"");
      ++at_;
      auto value = quoted();
      if (!value) return std::unexpected(value.error());
      if (name != "name" || !label) continue;
      if (std::ranges::find(names_, *value) != names_.end())
        return wrong(fmt::format("{} is named twice", shown(*value)), "name every label once");
      names_.push_back(*std::move(value));
      named = true;
    }
    if (label && !named) return wrong("a label has no name", "write <label name=\"...\">");
    return {};
  }

  Result<std::string> quoted() {
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    const std::size_t end = quote == '"' || quote == '\'' ? text_.find(quote, at_ + 1) : text_.npos;
    if (end == text_.npos) return wrong("a value has no quotes around it", "write name=\"...\"");
    std::string out;
    for (std::size_t i = at_ + 1; i < end; ++i) {
      if (text_[i] != '&') {
        out.push_back(text_[i]);
        continue;
      }
      const std::size_t stop = std::min(text_.find(';', i), end);
      if (!append_entity(text_.substr(i + 1, stop - i - 1), out))
        return wrong(fmt::format("{} is not a character", shown(text_.substr(i, stop - i + 1))), "write & as &amp;");
      i = stop;
    }
    if (invalid_utf8(out) != std::string_view::npos)
      return wrong(fmt::format("{} is not UTF-8", shown(out)), "convert the file, for example with iconv");
    at_ = end + 1;
    return out;
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0;
  std::vector<std::string> names_;
};

} // namespace

Result<std::vector<std::string>> read_label_names(const std::string& path) {
  return guarded(path, cure::kReadLess, [&]() -> Result<std::vector<std::string>> {
    auto input = Input::open(path);
    if (!input) return std::unexpected(input.error());
    const auto bytes = (*input)->read_all();
    if (!bytes) return std::unexpected(bytes.error());
    return LabelNames(bytes->view(), path).read();
  });
}

} // namespace recta
