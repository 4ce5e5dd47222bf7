// Writes one JSON document. Numbers are the shortest text that reads back as the same double; what JSON cannot say
// (NaN, infinity) is null. Bytes that are not UTF-8 become U+FFFD.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recta::cli {

std::string shortest(double value);

class Json {
public:
  Json& object() { return open('{', false); }
  Json& array() { return open('[', false); }
  Json& line() { return open('[', true); } // an array on one line
  Json& end();
  Json& key(std::string_view name);

  template <class T>
  Json& value(const T& v) {
    if constexpr (std::same_as<T, bool>) {
      return raw(v ? "true" : "false");
    } else if constexpr (std::floating_point<T>) {
      return number(v);
    } else if constexpr (std::integral<T>) {
      return raw(std::to_string(v));
    } else {
      return string(v);
    }
  }
  template <class T>
  Json& field(std::string_view name, const T& v) {
    return key(name).value(v);
  }
  template <class List>
  Json& list(std::string_view name, const List& items) {
    key(name).line();
    for (const auto& item : items) value(item);
    return end();
  }
  Json& null() { return raw("null"); }

  std::string text() const { return text_ + "\n"; }

private:
  struct Level {
    char close;
    bool one_line;
    bool empty = true;
  };
  Json& open(char bracket, bool one_line);
  Json& raw(std::string_view token);
  Json& number(double v);
  Json& string(std::string_view v);
  void separate();

  std::string text_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

} // namespace recta::cli
