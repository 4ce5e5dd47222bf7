#include "report/sentence.hpp"

#include "certificate/sentence.hpp"
#include "report/english.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace recta::report {
namespace {

constexpr std::size_t kLongList = 12, kListShown = 8;

std::string list_text(const Value::List& list, std::string_view between, const Words& words) {
  const bool cut = words.top > 0 && list.size() > kLongList;
  std::string text;
  for (std::size_t k = 0; k < (cut ? kListShown : list.size()); ++k)
    text += (k == 0 ? "" : std::string(between)) + figure_text(list[k], 0, words);
  if (!cut) return text;
  const Sentence more{between.empty() ? "terms.more" : "list.more", {{"count", list.size() - kListShown}}};
  return text + in_words(more, words);
}

// One reading of a template from its beginning to its end.
struct Reading {
  const Sentence& sentence;
  const Words& words;
  std::string_view text;

  std::string_view until(std::string_view ends) { // and past the end
    const std::string_view head = text.substr(0, text.find_first_of(ends));
    text.remove_prefix(head.size() + 1);
    return head;
  }

  std::string placed(std::string_view inside, bool& whole) const {
    const bool silent = inside.starts_with('?');
    if (silent) inside.remove_prefix(1);
    const std::size_t end = std::min(inside.find_first_of(":|+*"), inside.size());
    const Value& value = figure_of(sentence, inside.substr(0, end));
    whole = whole && !is_missing(value);
    if (silent || value.is.index() == 0) return "";
    std::string_view form = inside.substr(end);
    if (form.empty()) return figure_text(value, 0, words);
    const char kind = form[0];
    form.remove_prefix(1);
    if (kind == '+') return list_text(std::get<Value::List>(value.is), "", words);
    if (kind == '*') return list_text(std::get<Value::List>(value.is), "", {.digits = words.digits});
    if (kind == '|') {
      const std::size_t bar = form.find('|');
      return count_text(std::get<Index>(value.is), std::string(form.substr(0, bar)).c_str(),
                        std::string(form.substr(bar + 1)).c_str());
    }
    if (form == "^") return at_most(std::get<double>(value.is));
    if (form == "s") return seconds_text(std::get<double>(value.is));
    if (form == "B") return bytes_text(static_cast<std::uint64_t>(std::get<Index>(value.is)));
    const bool at_least = form.starts_with('~');
    int digits = 0;
    std::from_chars(form.data() + at_least, form.data() + form.size(), digits);
    return figure_text(value, at_least ? -digits : digits, words);
  }

  // Up to the bracket that closes it; nothing unless whole.
  std::string part() {
    std::string out;
    bool whole = true;
    while (!text.empty() && text[0] != ']') {
      if (text[0] == '[') {
        text.remove_prefix(1);
        out += part();
      } else if (text[0] == '{') {
        text.remove_prefix(1);
        out += placed(until("}"), whole);
      } else {
        const std::string_view head = text.substr(0, text.find_first_of("[]{"));
        out += head;
        text.remove_prefix(head.size());
      }
    }
    if (!text.empty()) text.remove_prefix(1);
    return whole ? out : "";
  }

  std::string all() {
    std::string out;
    bool whole = true;
    while (!text.empty()) {
      const std::string_view head = text.substr(0, text.find_first_of("[{"));
      out += head;
      text.remove_prefix(head.size());
      if (text.empty()) break;
      const bool bracket = text[0] == '[';
      text.remove_prefix(1);
      out += bracket ? part() : placed(until("}"), whole);
    }
    return out;
  }
};

struct Figure {
  int digits;
  const Words& words;

  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(std::nullptr_t) const { return "-"; }
  std::string operator()(bool v) const { return v ? "true" : "false"; }
  std::string operator()(Index v) const { return std::to_string(v); }
  std::string operator()(double v) const {
    const int wanted = digits == 0 ? words.digits : digits > 0 ? digits : words.digits > 6 ? words.digits : -digits;
    return number_text(v, wanted);
  }
  std::string operator()(const std::string& v) const { return v; }
  std::string operator()(const std::vector<double>& v) const {
    return list_text(Value::List(v.begin(), v.end()), ", ", words);
  }
  std::string operator()(const Value::List& v) const { return list_text(v, ", ", words); }
  std::string operator()(const Group&) const { return ""; }
  std::string operator()(const Sentence& v) const { return in_words(v, words); }
  std::string operator()(const std::shared_ptr<const Table>&) const { return ""; }
};

} // namespace

const Value& figure_of(const Sentence& sentence, std::string_view name) {
  static const Value missing;
  const auto at = std::ranges::find(sentence.figures.fields, name, &Field::key);
  return at == sentence.figures.fields.end() ? missing : at->value;
}

bool is_missing(const Value& value) {
  const auto empty = [&]<class T>(const T*) {
    const T* v = std::get_if<T>(&value.is);
    return v && v->empty();
  };
  const bool* truth = std::get_if<bool>(&value.is);
  const double* number = std::get_if<double>(&value.is);
  return value.is.index() < 2 || (truth && !*truth) || (number && std::isnan(*number)) ||
         empty(static_cast<const std::string*>(nullptr)) || empty(static_cast<const Value::List*>(nullptr)) ||
         empty(static_cast<const std::vector<double>*>(nullptr));
}

std::string figure_text(const Value& value, int digits, const Words& words) {
  return std::visit(Figure{digits, words}, value.is);
}

std::string in_words(const Sentence& sentence, const Words& words) {
  return Reading{sentence, words, english(sentence.key)}.all();
}

std::string number_text(double value, int digits) {
  if (std::isnan(value)) return "-";
  if (digits >= 17) return shortest(value);
  return fmt::format("{:.{}g}", value, digits);
}

std::string count_text(Index count, const char* one, const char* many) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3 && digits.size() > 4; at -= 3) digits.insert(at - 3, ",");
  return digits + " " + (count == 1 ? one : many);
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

} // namespace recta::report
