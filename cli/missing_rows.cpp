#include "missing_rows.hpp"

#include "table.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::cli {
namespace {

// Features count only if rows without one are dropped: otherwise they are filled in.
std::vector<const Column*> columns_needed(const Schema& schema, const Dataset& data) {
  std::vector<std::string> names = schema.targets;
  if (schema.missing == Missing::drop) {
    names.clear();
    for (const SchemaColumn& column : schema.columns) names.push_back(column.name);
    names.insert(names.end(), schema.targets.begin(), schema.targets.end());
  }
  std::vector<const Column*> columns;
  for (const std::string& name : names)
    if (const Column* column = data.find(name)) columns.push_back(column);
  return columns;
}

bool is_missing(const Column& column, std::size_t row) {
  if (column.type == ColumnType::category) return column.codes[row] < 0;
  return column.numeric() && std::isnan(column.values[row]);
}

} // namespace

bool lacks_feature(const Schema& schema, const Dataset& data, Index row) {
  return std::ranges::any_of(schema.columns, [&](const SchemaColumn& feature) {
    const Column* column = data.find(feature.name);
    return column != nullptr && is_missing(*column, static_cast<std::size_t>(row));
  });
}

MissingRows missing_rows(const Schema& schema, const Dataset& data) {
  MissingRows out;
  std::vector<std::uint8_t> lacking(static_cast<std::size_t>(data.rows), 0);
  for (const Column* column : columns_needed(schema, data)) {
    Index count = 0;
    for (std::size_t i = 0; i < lacking.size(); ++i) {
      if (!is_missing(*column, i)) continue;
      ++count;
      lacking[i] = 1;
    }
    if (count > 0) out.columns.emplace_back(column->name, count);
  }
  out.rows = std::ranges::count(lacking, 1);
  return out;
}

std::string left_out_text(Index left_out, Index rows, const MissingRows& missing) {
  if (left_out == 0) return "";
  std::vector<std::string> reasons, columns;
  for (const auto& [name, count] : missing.columns)
    columns.push_back(fmt::format("{} ({})", name, count_text(count, "row", "rows")));
  if (!columns.empty()) reasons.push_back(fmt::format("a value is missing in {}", fmt::join(columns, ", ")));
  if (missing.columns.empty() && missing.rows > 0) reasons.emplace_back("a value is missing");
  if (left_out > missing.rows)
    reasons.push_back(fmt::format("the weight is zero in {}", count_text(left_out - missing.rows, "row", "rows")));
  return fmt::format("{} of {}: {}", left_out, count_text(rows, "row", "rows"), fmt::join(reasons, "; "));
}

std::string left_out_line(Index left_out, Index rows, const MissingRows& missing) {
  const std::string text = left_out_text(left_out, rows, missing);
  return text.empty() ? "" : fmt::format("left out   {}\n", text);
}

void left_out_field(Json& json, Index left_out, const MissingRows& missing) {
  json.key("left_out").object().field("rows", left_out).key("missing").object();
  for (const auto& [column, count] : missing.columns) json.field(column, count);
  json.end().end();
}

} // namespace recta::cli
