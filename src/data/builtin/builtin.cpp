// The tables in sets/ as typed columns. A column whose values are all whole numbers is integer, one with other
// numbers real. One named "text" holds texts, any other words are categories: "c" and "el mejor guión" look alike.
#include "data/builtin/builtin.hpp"

#include "data/all_sets.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace recta {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = 0; end != text.npos; text.remove_prefix(end == text.npos ? 0 : end + 1)) {
    end = text.find(separator);
    parts.push_back(text.substr(0, end));
  }
  return parts;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  text.remove_suffix(1); // the end of the last line
  return split(text, '\n');
}

std::string_view table_of(std::string_view name) {
  return std::ranges::find(builtin::kTables, name, &builtin::Table::name)->text;
}

// The line of the list: name, target, summary.
BuiltinSet described(std::string_view line) {
  const std::size_t target = line.find(' ') + 1, summary = line.find(' ', target) + 1;
  BuiltinSet set{std::string(line.substr(0, target - 1)), std::string(line.substr(summary)),
                 std::string(line.substr(target, summary - 1 - target)), 0, 0};
  if (set.target == "-") set.target.clear();
  const std::string_view table = table_of(set.name);
  set.rows = std::ranges::count(table, '\n') - 1;
  set.columns = std::ranges::count(lines_of(table).front(), ',') + 1;
  return set;
}

bool read_number(std::string_view cell, double& value) {
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return error == std::errc() && end == cell.data() + cell.size();
}

void fill(Column& column, const std::vector<std::string_view>& cells) {
  if (double value = 0; read_number(cells.front(), value)) {
    for (const std::string_view cell : cells) {
      read_number(cell, value);
      column.values.push_back(value);
    }
    const bool whole = std::ranges::all_of(column.values, [](double v) { return v == std::floor(v); });
    column.type = whole ? ColumnType::integer : ColumnType::real;
    return;
  }
  column.levels.assign(cells.begin(), cells.end());
  column.type = column.name == "text" ? ColumnType::text : ColumnType::category;
  if (column.type == ColumnType::text) return;
  std::ranges::sort(column.levels);
  column.levels.erase(std::ranges::unique(column.levels).begin(), column.levels.end());
  for (const std::string_view cell : cells)
    column.codes.push_back(
        static_cast<std::int32_t>(std::ranges::lower_bound(column.levels, cell) - column.levels.begin()));
}

} // namespace

const std::vector<BuiltinSet>& builtin_sets() {
  static const std::vector<BuiltinSet> list = [] {
    std::vector<BuiltinSet> sets;
    for (const std::string_view line : lines_of(builtin::kList))
      if (!line.starts_with('#')) sets.push_back(described(line));
    return sets;
  }();
  return list;
}

const BuiltinSet* find_builtin(std::string_view name) {
  const auto at = std::ranges::find(builtin_sets(), name, &BuiltinSet::name);
  return at == builtin_sets().end() ? nullptr : &*at;
}

Dataset load_builtin(std::string_view name) {
  Dataset data;
  data.source = name;
  std::vector<std::vector<std::string_view>> cells; // by columns
  for (const std::string_view line : lines_of(table_of(name))) {
    const auto row = split(line, ',');
    cells.resize(row.size());
    for (std::size_t j = 0; j < row.size(); ++j) cells[j].push_back(row[j]);
  }
  data.rows = static_cast<Index>(cells.front().size()) - 1;
  for (auto& column : cells) {
    data.columns.emplace_back().name = column.front();
    column.erase(column.begin());
    fill(data.columns.back(), column);
  }
  return data;
}

} // namespace recta
