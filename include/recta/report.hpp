// A document: what a model or a command reports, before it has a format. Programs read its `data`, a tree of keys;
// people read its `page`, sections of tables and sentences. A table that both read stands in both as one object.
#pragma once

#include <recta/error.hpp>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace recta::report {

struct Field;
struct Table;
struct Value;

// Fields in their order. What a Field is follows: its members are written where it is known.
struct Group {
  Group();
  Group(std::initializer_list<Field> list);
  Group(const Group& other);
  Group(Group&& other) noexcept;
  Group& operator=(const Group& other);
  Group& operator=(Group&& other) noexcept;
  ~Group();
  Group& add(std::string key, Value value);
  Group& add(Group more);

  std::vector<Field> fields;
};

// What is said, not how: src/report/english.cpp has the words for each key.
struct Sentence {
  std::string key;
  Group figures = {};
};

// A figure, or a tree of them. One that is absent is left out with its key; null is there and has no value.
struct Value {
  using List = std::vector<Value>;
  std::variant<std::monostate, std::nullptr_t, bool, Index, double, std::string, std::vector<double>, List, Group,
               Sentence, std::shared_ptr<const Table>>
      is;

  Value() = default;
  Value(std::nullptr_t) : is(nullptr) {}
  Value(bool v) : is(v) {}
  template <std::integral T>
  Value(T v) : is(static_cast<Index>(v)) {}
  Value(double v) : is(v) {}
  template <class T>
    requires std::constructible_from<std::string, T>
  Value(T&& v) : is(std::string(std::forward<T>(v))) {}
  Value(std::vector<double> v) : is(std::move(v)) {}
  template <class T>
  Value(const std::vector<T>& v) : is(List(v.begin(), v.end())) {}
  Value(List v) : is(std::move(v)) {}
  Value(Group v) : is(std::move(v)) {}
  Value(Sentence v) : is(std::move(v)) {}
  Value(std::shared_ptr<const Table> v) : is(std::move(v)) {}
  Value(Table v);
};

struct Field {
  std::string key;
  Value value;
};

// A column that has no key is for people, one that has no title for programs.
struct Column {
  std::string key, title{};
  int digits = 0; // as Words::digits; 0: those asked for
};

// How programs get a table: a list of objects, an object by the first cell, {"columns", "rows"}, or rows alone.
enum class Shape : std::uint8_t { records, named, grid, rows };

struct Table {
  std::string key{}, title{};
  std::vector<Column> columns{};
  std::vector<std::vector<Value>> rows{};
  Shape shape = Shape::records;
  std::size_t unlisted = 0;        // rows at the top that programs have elsewhere
  std::size_t left = 1;            // columns to the left; the others are numbers
  bool prose = false;              // the last column is text
  bool headless = false;           // people need no titles
  bool drops_empty = false;        // a column without a figure is left out
  bool both_ends = false;          // the first and the last rows are shown at first, not the first or the largest
  std::string ranked_by{}, rest{}; // rest: the sentence about rows that are not shown; empty: all are shown
};

// Parts of a page.
struct Shown {
  std::shared_ptr<const Table> table;
  std::vector<std::string> columns{};      // by key; empty: those that have a title
  std::shared_ptr<const Table> in_short{}; // in its place if it has more rows than are shown
};
struct Heading {
  Sentence sentence;
};
struct Lines { // of one kind, cut like the rows of a table
  std::vector<Sentence> lines;
  std::string rest;
};
using Item = std::variant<Sentence, Heading, Shown, Lines>;
using Section = std::vector<Item>; // a blank line stands between two

struct Document {
  Group data;
  std::vector<Section> page;
};

struct Words {
  int digits = 6;    // significant ones; all that matter from 17 on
  Index top = 0;     // rows shown of a long table; 0: all
  bool bold = false; // by control characters of a terminal
};

std::string to_json(const Group& data);
std::string to_text(const std::vector<Section>& page, const Words& words);
std::string to_html(const std::vector<Section>& page, const Words& words);
std::string to_text(const Sentence& sentence, const Words& words = {});

std::string shortest(double value);                                     // text that reads back as the same double
std::string number_text(double value, int digits);                      // "-" if there is no number
std::string seconds_text(double seconds);                               // "12.5 ms"
std::string bytes_text(std::uint64_t bytes);                            // "1.5 MB"
std::string count_text(Index count, const char* one, const char* many); // "1 row", "12,000 rows"

inline std::shared_ptr<const Table> shared(Table table) {
  return std::make_shared<const Table>(std::move(table));
}
template <class T>
void append(std::vector<T>& all, std::vector<T> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}
inline Value or_null(const std::string& text) {
  return text.empty() ? Value(nullptr) : Value(text);
}
Sentence said(std::string words); // what is a sentence already: a remark, a certificate

} // namespace recta::report
