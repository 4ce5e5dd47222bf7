#include "classes/unread_labels.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace recta {
namespace {

std::string label_at(const Column& column, Index row) {
  if (column.numeric()) return std::isnan(column.values[at(row)]) ? "" : fmt::format("{}", column.values[at(row)]);
  if (column.type == ColumnType::text) return column.levels[at(row)];
  const std::int32_t code = column.codes[at(row)];
  return code < 0 ? "" : column.levels[at(code)];
}

} // namespace

RowLabels unread_labels(const Model& model, const Dataset& data, Index most) {
  for (const Column& column : data.columns) {
    if (std::ranges::find(model.schema.columns, column.name, &SchemaColumn::name) != model.schema.columns.end())
      continue;
    std::map<std::string, Index> known;
    for (Index i = 0; i < data.rows && std::ssize(known) <= most; ++i)
      if (std::string label = label_at(column, i); !label.empty()) known.emplace(std::move(label), 0);
    if (known.empty() || std::ssize(known) > most) continue;
    RowLabels out{.column = column.name};
    for (auto& [name, place] : known) place = std::ssize(out.names), out.names.push_back(name);
    for (Index i = 0; i < data.rows; ++i) {
      const auto entry = known.find(label_at(column, i));
      out.place.push_back(entry == known.end() ? -1 : entry->second);
    }
    return out;
  }
  return {};
}

} // namespace recta
