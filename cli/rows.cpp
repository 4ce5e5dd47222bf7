#include "rows.hpp"

#include <cmath>

namespace recta::cli {
namespace {

// Row i of the sparse part, zeros written out; `row` is room to work in, all zeros before and after.
void append_sparse(std::string& line, const SparseColumns& sparse, Index i, std::vector<double>& row, bool comma) {
  if (sparse.cols == 0) return;
  const auto begin = static_cast<std::size_t>(sparse.start[static_cast<std::size_t>(i)]);
  const auto end = static_cast<std::size_t>(sparse.start[static_cast<std::size_t>(i) + 1]);
  for (std::size_t k = begin; k < end; ++k) row[static_cast<std::size_t>(sparse.index[k])] = sparse.value[k];
  for (const double value : row) {
    if (comma) line += ',';
    comma = true;
    line += std::isnan(value) ? "" : shortest(value);
  }
  for (std::size_t k = begin; k < end; ++k) row[static_cast<std::size_t>(sparse.index[k])] = 0;
}

} // namespace

std::string cell_text(const Column& column, Index row) {
  const auto i = static_cast<std::size_t>(row);
  if (column.type == ColumnType::text) return csv_field(column.levels[i]);
  if (column.type == ColumnType::category) {
    return column.codes[i] < 0 ? "" : csv_field(column.levels[static_cast<std::size_t>(column.codes[i])]);
  }
  return std::isnan(column.values[i]) ? "" : shortest(column.values[i]);
}

void write_csv(Output& out, const Dataset& data, Index rows) {
  const SparseColumns& sparse = data.sparse;
  std::vector<std::string> names;
  for (const Column& column : data.columns) names.push_back(column.name);
  for (Index j = 0; j < sparse.cols; ++j) names.push_back(std::to_string(sparse.index_base + j));
  out << csv_heading(names);
  std::string line;
  std::vector<double> row(static_cast<std::size_t>(sparse.cols));
  for (Index i = 0; i < rows && out.wanted(); ++i) {
    line.clear();
    for (std::size_t k = 0; k < data.columns.size(); ++k) {
      if (k > 0) line += ',';
      line += cell_text(data.columns[k], i);
    }
    append_sparse(line, sparse, i, row, !data.columns.empty());
    out << (line += '\n');
  }
}

} // namespace recta::cli
