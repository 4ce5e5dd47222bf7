// A body's report about itself: tables, figures and remarks.
#include "report/body.hpp"

#include "report/sentence.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <type_traits>

namespace recta::report {
namespace {

Value value_of(const Report::Field& field) {
  if (const auto* number = std::get_if<double>(&field.value)) return *number;
  if (const auto* numbers = std::get_if<std::vector<double>>(&field.value)) return *numbers;
  Group out;
  for (const Report::Field& inner : std::get<std::vector<Report::Field>>(field.value))
    out.add(inner.name, value_of(inner));
  return out;
}

std::shared_ptr<const Table> table_of(const Report::Table& table) {
  Table out{.key = table.name, .title = table.title, .shape = Shape::grid, .rest = "rows.more"};
  for (const std::string& name : table.columns) out.columns.push_back({name, name.empty() ? " " : name});
  for (const auto& row : table.rows) {
    std::vector<Value>& cells = out.rows.emplace_back();
    for (const Report::Cell& cell : row)
      cells.push_back(std::visit([](const auto& figure) { return Value(figure); }, cell));
  }
  return shared(std::move(out));
}

// The rows that people see of a long table at first, by its key: how many rows there are of each kind, by the columns
// here that it has. The first rows of the others are shown.
constexpr std::pair<std::string_view, std::array<std::string_view, 2>> kCounted[] = {
    {"support", {"part", "side"}}, // support vectors, or rows that were mistakes
    {"probabilities", {}},         // of words: the most informative ones have a table of their own
};

std::shared_ptr<const Table> counts_of(const Table& table) {
  const auto* const counted = std::ranges::find(kCounted, table.key, &std::decay_t<decltype(kCounted[0])>::first);
  if (counted == std::end(kCounted)) return nullptr;
  std::vector<std::size_t> by;
  Table out{.title = table.title, .left = 1};
  for (std::size_t k = 0; k < table.columns.size(); ++k)
    if (const std::string& key = table.columns[k].key; !key.empty() && std::ranges::count(counted->second, key) > 0) {
      by.push_back(k);
      out.columns.push_back(table.columns[k]);
    }
  if (by.empty()) return shared(std::move(out));
  out.columns.push_back({"rows", "rows"});
  std::map<std::string, std::size_t> kinds; // by their text
  for (const auto& row : table.rows) {
    std::string kind;
    for (const std::size_t k : by) kind += figure_text(row[k], 0, {}) + '\n';
    const auto [at, is_new] = kinds.emplace(std::move(kind), out.rows.size());
    if (is_new) {
      std::vector<Value>& cells = out.rows.emplace_back();
      for (const std::size_t k : by) cells.push_back(row[k]);
      cells.emplace_back(0);
    }
    ++std::get<Index>(out.rows[at->second].back().is);
  }
  return shared(std::move(out));
}

} // namespace

void add_report(const Report& report, Group& data, std::vector<Section>& page) {
  Group figures, tables;
  Section lines;
  for (const Report::Figure& figure : report.figures) {
    figures.add(figure.name, figure.value);
    lines.push_back(Sentence{"figure", {{"title", figure.text}, {"value", figure.value}}});
  }
  for (const Report::Table& each : report.tables) {
    const auto table = table_of(each);
    tables.add(each.name, table);
    page.push_back({Shown{table, {}, counts_of(*table)}});
  }
  lines.insert(lines.end(), report.remarks.begin(), report.remarks.end());
  if (!lines.empty()) page.push_back(std::move(lines));
  data.add("figures", std::move(figures)).add("tables", std::move(tables)).add("remarks", report.remarks);
  for (const Report::Field& field : report.fields) data.add(field.name, value_of(field));
}

Group data_by_class(const Report& report) {
  static constexpr std::array<std::string_view, 5> kTaken{"labels", "weights", "factors", "positive", "rest"};
  Group out;
  for (const Report::Field& field : report.by_class)
    if (std::ranges::find(kTaken, field.name) == kTaken.end()) out.add(field.name, value_of(field));
  return out;
}

Document document_of(const Report& report) {
  Document out;
  add_report(report, out.data, out.page);
  return out;
}

} // namespace recta::report
