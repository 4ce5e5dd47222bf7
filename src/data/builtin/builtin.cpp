// The list of built-in sets, and how their rows become typed columns: a column whose values are all whole numbers is
// integer, one with other numbers real; text columns are marked here, because "c" and "el mejor guión" look alike.
#include "data/builtin/builtin.hpp"

#include "data/builtin/table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <span>

namespace recta {
namespace {

struct Set {
  const char* name;
  const char* columns; // names between commas; "*" in front: category, "$": text
  const char* target;
  const char* summary;
  std::span<const std::string_view> rows;
  bool packed = false; // one character per number, 'a' is 0
};

std::span<const std::string_view> one(const std::string_view& rows) {
  return {&rows, 1};
}

std::span<const Set> sets() {
  namespace b = builtin;
  static const Set list[] = {
      {"iris", "sepal_length,sepal_width,petal_length,petal_width,*species", "species",
       "three species of iris by four measurements in cm (Fisher 1936)", one(b::iris)},
      {"housing", "crim,zn,indus,chas,nox,rm,age,dis,rad,tax,ptratio,b,lstat,price", "price",
       "median home values (1000 dollars) in 506 areas of Boston, 1970 (Harrison and Rubinfeld 1978). Objection: "
       "column "
       "b is 1000 (share of Black residents - 0.63)^2; it encodes race, on the authors' assumption that segregation "
       "raised prices, and cannot be undone. Kept because courses use it; drop it with --ignore b",
       one(b::housing)},
      {"digits", "", "digit", "1797 handwritten digits, 8 x 8 grids of ink from 0 to 16, columns x1 to x64 by rows",
       b::digits, true},
      {"rings", "x1,x2,class", "class", "two noisy rings, 100 points each: a circle separates them, no line does",
       one(b::rings)},
      {"xor", "x1,x2,class", "class", "exclusive or: four corners that no line separates", one(b::xor_rows)},
      {"ring-points", "x1,x2,class", "class", "four points at distance 1 (-1) and four at distance 2 (1)",
       one(b::ring_points)},
      {"two-points", "x1,x2,class", "class", "(0,0) of class 1 and (1,1) of class 2", one(b::two_points)},
      {"three-points", "x1,x2", "", "(0,0), (1,1) and the point between them, to be scored; no target",
       one(b::three_points)},
      {"line-1234", "x,class", "class", "x = 1, 2 (-1) and 3, 4 (1): the perceptron's steps can be counted by hand",
       one(b::line_1234)},
      {"line-10-12", "x,class", "class", "x = 10 (-1) and 12 (1): many mistakes although two points are all",
       one(b::line_10_12)},
      {"line-six", "x,class", "class", "x = -3, -1 (-1) and 1, 2, 5, 9 (1): two support vectors, margin width 2",
       one(b::line_six)},
      {"one-row", "x,y", "y", "x = 1, y = 0: without intercept the squared error is theta^2", one(b::one_row)},
      {"two-ones", "x,y", "y", "x = 1, 2 and y = 1, 1: ridge without intercept, ||w||^2 = 1/4 at tau = 1",
       one(b::two_ones)},
      {"chinese", "$text,*class", "class", "four documents in two classes, for naive Bayes by hand", one(b::chinese)},
      {"film-reviews", "$text", "", "three Spanish film reviews for a bag of words; no target", one(b::reviews)},
      {"longley", "y,x1,x2,x3,x4,x5,x6", "y", "NIST StRD: employment, six nearly collinear columns (Longley 1967)",
       one(b::longley)},
      {"norris", "y,x", "y", "NIST StRD: calibration of ozone monitors, a line", one(b::norris)},
      {"pontius", "y,x", "y", "NIST StRD: calibration of load cells, a parabola", one(b::pontius)},
      {"filip", "y,x", "y", "NIST StRD: a polynomial of degree 10, condition number beyond 1e15", one(b::filip)},
      {"wampler1", "y,x", "y", "NIST StRD: a polynomial of degree 5 without noise, all coefficients 1",
       one(b::wampler1)},
      {"wampler2", "y,x", "y", "NIST StRD: a polynomial of degree 5 without noise, coefficients 1 to 0.00001",
       one(b::wampler2)},
      {"wampler3", "y,x", "y", "NIST StRD: wampler1 with noise", one(b::wampler3)},
      {"wampler4", "y,x", "y", "NIST StRD: wampler1 with noise 100 times as large", one(b::wampler4)},
      {"wampler5", "y,x", "y", "NIST StRD: wampler1 with noise 10000 times as large", one(b::wampler5)},
      {"noint1", "y,x", "y", "NIST StRD: a line without intercept, 11 rows", one(b::noint1)},
      {"noint2", "y,x", "y", "NIST StRD: a line without intercept, 3 rows", one(b::noint2)},
  };
  return list;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = 0; end != text.npos; text.remove_prefix(end == text.npos ? 0 : end + 1)) {
    end = text.find(separator);
    parts.push_back(text.substr(0, end));
  }
  return parts;
}

void set_type(Column& column) {
  if (column.type == ColumnType::category) {
    std::vector<std::string> cells = std::move(column.levels);
    column.levels = cells;
    std::ranges::sort(column.levels);
    column.levels.erase(std::ranges::unique(column.levels).begin(), column.levels.end());
    for (const std::string& cell : cells)
      column.codes.push_back(
          static_cast<std::int32_t>(std::ranges::lower_bound(column.levels, cell) - column.levels.begin()));
  } else if (column.type == ColumnType::real &&
             std::ranges::all_of(column.values, [](double v) { return v == std::floor(v); })) {
    column.type = ColumnType::integer;
  }
}

std::vector<Column> named_columns(const Set& set) {
  std::vector<Column> columns;
  if (set.packed) {
    for (int j = 1; j <= 64; ++j) columns.emplace_back().name = fmt::format("x{}", j);
    columns.emplace_back().name = set.target;
    return columns;
  }
  for (std::string_view name : split(set.columns, ',')) {
    Column& column = columns.emplace_back();
    if (name.starts_with('*')) column.type = ColumnType::category;
    if (name.starts_with('$')) column.type = ColumnType::text;
    if (!column.numeric()) name.remove_prefix(1);
    column.name = name;
  }
  return columns;
}

void add_row(std::string_view line, bool packed, std::vector<Column>& columns) {
  if (packed) {
    for (std::size_t j = 0; j < columns.size(); ++j) columns[j].values.push_back(line[j] - 'a');
    return;
  }
  const auto cells = split(line, ',');
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (!columns[j].numeric()) {
      columns[j].levels.emplace_back(cells[j]);
      continue;
    }
    double value = 0;
    std::from_chars(cells[j].data(), cells[j].data() + cells[j].size(), value);
    columns[j].values.push_back(value);
  }
}

Dataset load(const Set& set) {
  Dataset data;
  data.source = set.name;
  data.columns = named_columns(set);
  for (std::string_view part : set.rows)
    for (std::string_view line : split(part, '\n')) {
      add_row(line, set.packed, data.columns);
      ++data.rows;
    }
  for (Column& column : data.columns) set_type(column);
  return data;
}

} // namespace

const std::vector<BuiltinSet>& builtin_sets() {
  static const std::vector<BuiltinSet> list = [] {
    std::vector<BuiltinSet> described;
    for (const Set& set : sets()) {
      Index rows = 0;
      for (std::string_view part : set.rows) rows += 1 + std::ranges::count(part, '\n');
      described.push_back({set.name, set.summary, set.target, rows, static_cast<Index>(named_columns(set).size())});
    }
    return described;
  }();
  return list;
}

const BuiltinSet* find_builtin(std::string_view name) {
  const auto at = std::ranges::find(builtin_sets(), name, &BuiltinSet::name);
  return at == builtin_sets().end() ? nullptr : &*at;
}

Dataset load_builtin(std::string_view name) {
  for (const Set& set : sets())
    if (name == set.name) return load(set);
  return {};
}

} // namespace recta
