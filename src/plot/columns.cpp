#include "plot/columns.hpp"

namespace recta::plot {

std::vector<const SchemaColumn*> number_columns(const Model& model) {
  const Schema& schema = model.schema;
  if (schema.sparse_cols > 0 || !schema.texts.empty() || !schema.offset.empty()) return {};
  std::vector<const SchemaColumn*> columns;
  for (const SchemaColumn& column : schema.columns) {
    if (column.type == ColumnType::category) return {};
    columns.push_back(&column);
  }
  return columns;
}

std::vector<double> evenly(double low, double high, Index count) {
  std::vector<double> values;
  for (Index k = 0; k < count; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(count - 1);
    values.push_back(k == count - 1 ? high : low * (1 - share) + share * high);
  }
  return values;
}

Dataset grid_over(std::vector<std::pair<std::string, std::vector<double>>> columns) {
  Dataset grid;
  grid.source = "grid";
  for (auto& [name, values] : columns) {
    grid.rows = static_cast<Index>(values.size());
    Column& column = grid.columns.emplace_back();
    column.name = name;
    column.values.assign(values.begin(), values.end());
  }
  return grid;
}

} // namespace recta::plot
