#include "missing_rows.hpp"

#include <algorithm>
#include <cmath>

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

report::Group LeftOut::data() const {
  report::Group columns;
  for (const auto& [column, count] : missing.columns) columns.add(column, count);
  return {{"rows", rows}, {"missing", std::move(columns)}};
}

report::Sentence LeftOut::sentence() const {
  report::Value::List columns;
  for (const auto& [name, count] : missing.columns)
    columns.emplace_back(report::Sentence{"left_out.column", {{"column", name}, {"rows", count}}});
  const bool zero = rows > missing.rows;
  return {"left_out.rows",
          {{"left_out", rows},
           {"rows", of},
           {"columns", columns},
           {"somewhere", columns.empty() && missing.rows > 0},
           {"both", zero && missing.rows > 0},
           {"zero", zero ? report::Value(rows - missing.rows) : report::Value()}}};
}

} // namespace recta::cli
