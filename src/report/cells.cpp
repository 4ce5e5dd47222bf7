#include "report/cells.hpp"

#include "report/sentence.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace recta::report {
namespace {

std::size_t column_of(const Table& table, const std::string& key) {
  return static_cast<std::size_t>(std::ranges::find(table.columns, key, &Column::key) - table.columns.begin());
}

// Those that are named, or all that have a title.
std::vector<std::size_t> columns_of(const Shown& shown) {
  const Table& table = *shown.table;
  std::vector<std::size_t> out;
  for (const std::string& key : shown.columns) out.push_back(column_of(table, key));
  for (std::size_t k = 0; shown.columns.empty() && k < table.columns.size(); ++k)
    if (!table.columns[k].title.empty()) out.push_back(k);
  if (table.drops_empty)
    std::erase_if(out, [&](std::size_t k) {
      return std::ranges::all_of(table.rows, [k](const auto& row) { return is_missing(row[k]); });
    });
  return out;
}

// The rows at the top, and of the others the first, the first and the last, or those whose figure is largest.
std::vector<std::size_t> rows_of(const Table& table, Index top) {
  std::vector<std::size_t> order(table.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t shown = table.unlisted + static_cast<std::size_t>(std::max<Index>(top, 0));
  if (top <= 0 || table.rest.empty() || shown >= order.size()) return order;
  if (table.both_ends) {
    order.erase(order.begin() + top / 2, order.end() - (top - top / 2));
    return order;
  }
  const std::size_t by = column_of(table, table.ranked_by);
  const auto size = [&](std::size_t row) {
    const double* figure = std::get_if<double>(&table.rows[row][by].is);
    return figure == nullptr || std::isnan(*figure) ? -1.0 : std::abs(*figure);
  };
  if (by < table.columns.size())
    std::partial_sort(order.begin() + static_cast<std::ptrdiff_t>(table.unlisted),
                      order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                      [&](auto a, auto b) { return std::pair(-size(a), a) < std::pair(-size(b), b); });
  order.resize(shown);
  return order;
}

void add_more(const std::string& key, std::size_t count, std::vector<Sentence>& to) {
  if (count > 0) to.push_back({key, {{"count", count}}});
}

} // namespace

Cells cells_of(const Shown& shown, const Words& words) {
  const Table& table = *shown.table;
  if (shown.in_short && words.top > 0 && table.rows.size() > static_cast<std::size_t>(words.top)) {
    Cells out = cells_of(Shown{shown.in_short}, words);
    add_more("rows.counted", table.rows.size(), out.more);
    return out;
  }
  const std::vector<std::size_t> columns = columns_of(shown), rows = rows_of(table, words.top);
  Cells out{table.title, {}, table.left, table.prose, table.headless, {}};
  if (!table.headless) out.rows.emplace_back();
  for (const std::size_t k : columns)
    if (!table.headless) out.rows[0].push_back(table.columns[k].title);
  for (const std::size_t i : rows) {
    std::vector<std::string>& row = out.rows.emplace_back();
    for (const std::size_t k : columns) row.push_back(figure_text(table.rows[i][k], table.columns[k].digits, words));
  }
  add_more(table.rest, table.rows.size() - rows.size(), out.more);
  return out;
}

std::vector<Sentence> lines_of(const Lines& lines, const Words& words) {
  const std::size_t shown =
      words.top > 0 ? std::min(lines.lines.size(), static_cast<std::size_t>(words.top)) : lines.lines.size();
  std::vector<Sentence> out(lines.lines.begin(), lines.lines.begin() + static_cast<std::ptrdiff_t>(shown));
  add_more(lines.rest, lines.lines.size() - shown, out);
  return out;
}

} // namespace recta::report
