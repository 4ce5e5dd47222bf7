// A document as JSON. Numbers are the shortest text that reads back as the same double; what JSON cannot say (NaN,
// infinity) is null. Bytes that are not UTF-8 become U+FFFD. A list of figures takes one line.
#include <recta/report.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <span>

namespace recta::report {
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

class Writer {
public:
  void write(const Group& v) {
    open('{', '}');
    for (const Field& each : v.fields) field(each.key, each.value);
    close();
  }
  std::string text() && { return std::move(out_) + "\n"; }

private:
  struct Level {
    char close;
    bool one_line, empty = true;
  };

  void open(char bracket, char close, bool one_line = false) {
    out_ += bracket;
    levels_.push_back({close, one_line || (!levels_.empty() && levels_.back().one_line)});
  }
  void next() { // the place of an entry
    Level& level = levels_.back();
    if (!level.empty) out_ += level.one_line ? ", " : ",";
    if (!level.one_line) out_.append(1, '\n').append(2 * levels_.size(), ' ');
    level.empty = false;
  }
  void close() {
    const Level level = levels_.back();
    levels_.pop_back();
    if (!level.empty && !level.one_line) out_.append(1, '\n').append(2 * levels_.size(), ' ');
    out_ += level.close;
  }
  void value(const Value& v) {
    std::visit([&](const auto& is) { write(is); }, v.is);
  }
  void field(const std::string& key, const Value& v) {
    if (std::holds_alternative<std::monostate>(v.is)) return;
    next();
    quote(out_, key);
    out_ += ": ";
    value(v);
  }
  template <class Range>
  void list(const Range& items, bool one_line) {
    open('[', ']', one_line);
    for (const auto& item : items) {
      next();
      if constexpr (std::same_as<std::decay_t<decltype(item)>, Value>)
        value(item);
      else
        write(item);
    }
    close();
  }

  void write(std::monostate) { out_ += "null"; }
  void write(std::nullptr_t) { out_ += "null"; }
  void write(bool v) { out_ += v ? "true" : "false"; }
  void write(Index v) { out_ += std::to_string(v); }
  void write(double v) { out_ += std::isfinite(v) ? shortest(v) : "null"; }
  void write(const std::string& v) { quote(out_, v); }
  void write(const Sentence& v) { quote(out_, to_text(v)); }
  void write(const std::vector<double>& v) { list(v, true); }
  void write(const Value::List& v) {
    list(v, std::ranges::none_of(v, [](const Value& item) {
           return std::holds_alternative<Group>(item.is) || std::holds_alternative<Value::List>(item.is) ||
                  std::holds_alternative<std::vector<double>>(item.is);
         }));
  }
  void write(const std::shared_ptr<const Table>& v) { write(*v); }
  void write(const Table& v) {
    if (v.shape == Shape::grid) {
      Value::List titles(v.columns.size());
      std::ranges::transform(v.columns, titles.begin(), &Column::title);
      open('{', '}');
      field("columns", titles);
      next();
      out_ += "\"rows\": ";
    }
    const bool named = v.shape == Shape::named;
    open(named ? '{' : '[', named ? '}' : ']');
    for (const auto& row : std::span(v.rows).subspan(v.unlisted)) {
      next();
      if (named) {
        quote(out_, std::get<std::string>(row[0].is));
        out_ += ": ";
      }
      if (v.shape == Shape::records || named)
        record(v, row, named ? 1 : 0);
      else
        list(std::span(row).subspan(v.columns[0].key.empty() ? 1 : 0), true);
    }
    close();
    if (v.shape == Shape::grid) close();
  }
  void record(const Table& table, const std::vector<Value>& row, std::size_t first) {
    open('{', '}');
    for (std::size_t k = first; k < row.size(); ++k)
      if (!table.columns[k].key.empty()) field(table.columns[k].key, row[k]);
    close();
  }

  std::string out_;
  std::vector<Level> levels_;
};

} // namespace

std::string shortest(double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return error == std::errc{} ? std::string(buffer, end) : std::string();
}

std::string to_json(const Group& data) {
  Writer writer;
  writer.write(data);
  return std::move(writer).text();
}

} // namespace recta::report
