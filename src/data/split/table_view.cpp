#include "data/split/table_view.hpp"

#include "base/numbers.hpp"
#include "data/checked_table.hpp"
#include "data/dataset.hpp"

#include <recta/split.hpp>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <numeric>

namespace recta {
namespace {

// The codes that the rows have, numbered anew in the order of the levels.
void drop_unused_levels(const Column& from, Column& to) {
  std::vector<std::int32_t> place(from.levels.size(), -1);
  for (const std::int32_t code : to.codes)
    if (code >= 0) place[at(code)] = 0;
  for (std::size_t k = 0; k < place.size(); ++k) {
    if (place[k] < 0) continue;
    place[k] = static_cast<std::int32_t>(to.levels.size());
    to.levels.push_back(from.levels[k]);
  }
  for (std::int32_t& code : to.codes) code = code < 0 ? -1 : place[at(code)];
}

} // namespace

void find_runs(std::span<const Index> rows, std::vector<RowRun>& runs) {
  runs.clear();
  for (const Index row : rows) {
    if (!runs.empty() && runs.back().first + runs.back().length == row)
      ++runs.back().length;
    else
      runs.push_back({row, 1});
  }
}

void copy_runs(const double* column, Index rows, std::span<const RowRun> runs, double* out, Index count) {
  constexpr Index kWide = 8;
  const double* const end = out + count;
  for (const RowRun& run : runs) {
    const double* const from = column + run.first;
    if (run.length <= kWide && run.first + kWide <= rows && end - out >= kWide)
      std::memcpy(out, from, kWide * sizeof(double));
    else
      std::copy_n(from, run.length, out);
    out += run.length;
  }
}

void gather(const Column& from, std::span<const Index> rows, Column& to) {
  if (from.type == ColumnType::category) {
    to.codes.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) to.codes[i] = from.codes[at(rows[i])];
  } else if (from.type == ColumnType::text) {
    to.levels.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) to.levels[i] = from.levels[at(rows[i])];
  } else {
    to.values.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) to.values[i] = from.values[at(rows[i])];
  }
}

void gather(const SparseColumns& from, std::span<const Index> rows, SparseColumns& to) {
  begin_like(from, to);
  if (from.start.empty()) return;
  to.start.push_back(0);
  for (const Index i : rows) {
    const Index begin = from.start[at(i)], end = from.start[at(i) + 1];
    to.index.insert(to.index.end(), from.index.begin() + begin, from.index.begin() + end);
    to.value.insert(to.value.end(), from.value.begin() + begin, from.value.begin() + end);
    to.start.push_back(std::ssize(to.index));
  }
}

Column copy_levels(const Column& from) {
  Column to;
  to.name = from.name;
  to.type = from.type;
  if (from.type == ColumnType::category) to.levels = from.levels;
  return to;
}

Dataset take_columns(const Dataset& table, std::span<const Index> rows, const std::vector<Index>& columns) {
  Dataset part;
  part.source = table.source;
  part.rows = std::ssize(rows);
  part.notes = table.notes;
  for (const Column& column : table.columns)
    part.columns.push_back({.name = column.name, .type = column.type, .values = {}, .codes = {}, .levels = {}});
  for (const Index j : columns) {
    Column& to = part.columns[at(j)];
    gather(table.columns[at(j)], rows, to);
    if (to.type == ColumnType::category) drop_unused_levels(table.columns[at(j)], to);
  }
  return part;
}

Dataset copy_rows(const Dataset& table, std::span<const Index> rows) {
  std::vector<Index> all(table.columns.size());
  std::iota(all.begin(), all.end(), Index{0});
  Dataset part = take_columns(table, rows, all);
  gather(table.sparse, rows, part.sparse);
  return part;
}

Result<Dataset> take_rows(const Dataset& data, const std::vector<Index>& rows) {
  return guarded(data, cure::kFewerRows, [&]() -> Result<Dataset> {
    for (const Index row : rows)
      if (row < 0 || row >= data.rows)
        return fail(ErrorCode::usage, data.source, fmt::format("there is no row number {}", row),
                    fmt::format("{} rows are numbered from 0", data.rows));
    return copy_rows(data, rows);
  });
}

} // namespace recta
