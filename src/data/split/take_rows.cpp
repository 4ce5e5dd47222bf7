#include "data/split/row_hash.hpp"

#include <recta/split.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace recta {
namespace {

std::vector<Index> all_rows(Index rows) {
  std::vector<Index> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

void take_codes(const Column& from, const std::vector<Index>& rows, Column& to) {
  std::vector<std::int32_t> place(from.levels.size(), -1);
  for (const Index i : rows) {
    if (from.codes[static_cast<std::size_t>(i)] >= 0) place[static_cast<std::size_t>(from.codes[i])] = 0;
  }
  for (std::size_t k = 0; k < place.size(); ++k) {
    if (place[k] < 0) continue;
    place[k] = static_cast<std::int32_t>(to.levels.size());
    to.levels.push_back(from.levels[k]);
  }
  for (const Index i : rows) {
    const std::int32_t code = from.codes[static_cast<std::size_t>(i)];
    to.codes.push_back(code < 0 ? -1 : place[static_cast<std::size_t>(code)]);
  }
}

Column take_column(const Column& from, const std::vector<Index>& rows) {
  Column to;
  to.name = from.name;
  to.type = from.type;
  if (from.type == ColumnType::category) {
    take_codes(from, rows, to);
  } else if (from.type == ColumnType::text) {
    for (const Index i : rows) to.levels.push_back(from.levels[static_cast<std::size_t>(i)]);
  } else {
    to.values.reserve(rows.size());
    for (const Index i : rows) to.values.push_back(from.values[static_cast<std::size_t>(i)]);
  }
  return to;
}

SparseColumns take_sparse(const SparseColumns& from, const std::vector<Index>& rows) {
  SparseColumns to;
  to.cols = from.cols;
  to.index_base = from.index_base;
  if (from.start.empty()) return to;
  to.start.push_back(0);
  for (const Index i : rows) {
    const auto begin = from.start[static_cast<std::size_t>(i)], end = from.start[static_cast<std::size_t>(i) + 1];
    to.index.insert(to.index.end(), from.index.begin() + begin, from.index.begin() + end);
    to.value.insert(to.value.end(), from.value.begin() + begin, from.value.begin() + end);
    to.start.push_back(static_cast<Index>(to.index.size()));
  }
  return to;
}

} // namespace

Split split_rows(Index rows, double share, std::uint64_t seed) {
  const RowHash hash(seed);
  std::vector<Index> order = all_rows(rows);
  const auto cut = order.begin() + static_cast<Index>(std::llround(share * static_cast<double>(rows)));
  if (cut != order.end()) {
    std::nth_element(order.begin(), cut, order.end(), [&](Index a, Index b) { return hash(a) < hash(b); });
  }
  Split split{{cut, order.end()}, {order.begin(), cut}};
  std::sort(split.train.begin(), split.train.end());
  std::sort(split.held_out.begin(), split.held_out.end());
  return split;
}

std::vector<Index> shuffled_rows(Index rows, std::uint64_t seed) {
  std::vector<Index> order = all_rows(rows);
  std::ranges::sort(order, {}, RowHash(seed));
  return order;
}

Dataset take_rows(const Dataset& data, const std::vector<Index>& rows) {
  Dataset part;
  part.source = data.source;
  part.rows = static_cast<Index>(rows.size());
  part.notes = data.notes;
  for (const Column& column : data.columns) part.columns.push_back(take_column(column, rows));
  part.sparse = take_sparse(data.sparse, rows);
  return part;
}

} // namespace recta
