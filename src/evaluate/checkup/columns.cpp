#include "evaluate/checkup/columns.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "data/number.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace recta::checkup {
namespace {

constexpr Index kMostNumberLabels = 20; // more whole numbers than this are amounts, not labels

// The two zeros are one value, and so are all NaN.
std::uint64_t value_bits(double x) {
  return std::bit_cast<std::uint64_t>(std::isnan(x) ? kNaN : x == 0 ? 0.0 : x);
}

std::uint64_t mixed(std::uint64_t x) { // the finaliser of splitmix64
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Counts different numbers in an open table that doubles when it is half full. NaN marks a free place.
class DistinctCounter {
public:
  void add(double x) {
    if (!insert(value_bits(x)) || 2 * count_ < table_.size()) return;
    std::vector<std::uint64_t> old(2 * table_.size(), kFree);
    old.swap(table_);
    count_ = 0;
    for (const std::uint64_t bits : old)
      if (bits != kFree) insert(bits);
  }
  Index count() const { return static_cast<Index>(count_); }

private:
  static constexpr std::uint64_t kFree = std::bit_cast<std::uint64_t>(kNaN);
  bool insert(std::uint64_t bits) {
    std::size_t at = mixed(bits) & (table_.size() - 1);
    for (; table_[at] != kFree; at = (at + 1) & (table_.size() - 1))
      if (table_[at] == bits) return false;
    table_[at] = bits;
    ++count_;
    return true;
  }
  std::vector<std::uint64_t> table_ = std::vector<std::uint64_t>(64, kFree);
  std::size_t count_ = 0;
};

void note_missing(ColumnCheck& check, Index i, Index first_row) {
  if (check.missing++ == 0) check.first_missing_row = first_row + i + 1;
}

void check_numbers(const Values& values, Index first_row, ColumnCheck& check) {
  DistinctCounter distinct;
  CompensatedSum sum, squares;
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  for (Index i = 0; i < std::ssize(values); ++i) {
    const double x = values[static_cast<std::size_t>(i)];
    if (std::isnan(x)) {
      note_missing(check, i, first_row);
      continue;
    }
    distinct.add(x);
    sum.add(x);
    lowest = std::min(lowest, x);
    highest = std::max(highest, x);
  }
  check.distinct = distinct.count();
  const auto present = static_cast<double>(std::ssize(values) - check.missing);
  if (present == 0) return;
  check.lowest = lowest;
  check.highest = highest;
  check.mean = lowest == highest ? lowest : sum.value() / present;
  for (const double x : values)
    if (!std::isnan(x)) squares.add_product(x - check.mean, x - check.mean);
  check.deviation = std::sqrt(squares.value() / present);
}

void check_levels(const Column& column, Index first_row, ColumnCheck& check) {
  std::vector<bool> present(column.levels.size(), false);
  for (Index i = 0; i < std::ssize(column.codes); ++i) {
    const std::int32_t code = column.codes[static_cast<std::size_t>(i)];
    if (code < 0)
      note_missing(check, i, first_row);
    else
      present[static_cast<std::size_t>(code)] = true;
  }
  check.distinct = std::ranges::count(present, true);
}

std::uint64_t fingerprint(const Column& column) {
  std::uint64_t hash = static_cast<std::uint64_t>(column.numeric() ? 0 : 1 + static_cast<int>(column.type));
  const auto take = [&](std::uint64_t bits) { hash = mixed(hash * 31 + bits + 1); };
  for (const double x : column.values) take(value_bits(x));
  for (const std::int32_t code : column.codes) take(static_cast<std::uint64_t>(code));
  for (const std::string& level : column.levels) take(std::hash<std::string>{}(level));
  return hash;
}

bool same_values(const Column& a, const Column& b) {
  return a.numeric() == b.numeric() && a.codes == b.codes && a.levels == b.levels &&
         std::ranges::equal(a.values, b.values, {}, value_bits, value_bits);
}

} // namespace

ColumnCheck check_column(const Column& column, Index first_row) {
  ColumnCheck check;
  check.name = column.name;
  check.type = column.type;
  check.mean = check.deviation = check.lowest = check.highest = check.variance_inflation = kNaN;
  if (column.numeric())
    check_numbers(column.values, first_row, check);
  else if (column.type == ColumnType::category)
    check_levels(column, first_row, check);
  else
    check.distinct = std::ssize(std::unordered_set<std::string_view>(column.levels.begin(), column.levels.end()));
  check.constant = check.distinct <= 1;
  return check;
}

TargetCheck check_target(const Column& column, Index first_row) {
  TargetCheck check{check_column(column, first_row), {}};
  if (column.type == ColumnType::category) {
    std::vector<Index> rows(column.levels.size(), 0);
    for (const std::int32_t code : column.codes)
      if (code >= 0) ++rows[static_cast<std::size_t>(code)];
    for (std::size_t l = 0; l < rows.size(); ++l)
      if (rows[l] > 0) check.classes.emplace_back(column.levels[l], rows[l]);
  } else if (column.type == ColumnType::integer && check.column.distinct <= kMostNumberLabels) {
    std::map<double, Index> rows;
    for (const double x : column.values)
      if (!std::isnan(x)) ++rows[x];
    for (const auto& [value, count] : rows) check.classes.emplace_back(number_text(value), count);
  }
  return check;
}

void find_duplicates(std::span<const Column* const> columns, std::span<ColumnCheck> checks) {
  std::unordered_multimap<std::uint64_t, std::size_t> earlier;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const std::uint64_t hash = fingerprint(*columns[j]);
    const auto [first, last] = earlier.equal_range(hash);
    std::size_t original = j;
    for (auto at = first; at != last; ++at)
      if (at->second < original && same_values(*columns[at->second], *columns[j])) original = at->second;
    if (original < j)
      checks[j].duplicate_of = checks[original].name;
    else
      earlier.emplace(hash, j);
  }
}

std::vector<ColumnCheck> check_sparse(const SparseColumns& sparse, Index rows) {
  const auto p = static_cast<std::size_t>(sparse.cols);
  std::vector<Index> stored(p, 0);
  std::vector<CompensatedSum> sums(p), squares(p);
  std::vector<double> lowest(p, 0), highest(p, 0);
  for (std::size_t e = 0; e < sparse.index.size(); ++e) {
    const auto j = static_cast<std::size_t>(sparse.index[e]);
    const double x = sparse.value[e];
    const bool first = stored[j]++ == 0;
    sums[j].add(x);
    lowest[j] = first ? x : std::min(lowest[j], x);
    highest[j] = first ? x : std::max(highest[j], x);
  }
  const auto n = static_cast<double>(rows);
  for (std::size_t e = 0; e < sparse.index.size(); ++e) {
    const auto j = static_cast<std::size_t>(sparse.index[e]);
    const double centred = sparse.value[e] - sums[j].value() / n;
    squares[j].add_product(centred, centred);
  }
  std::vector<ColumnCheck> checks(p);
  for (std::size_t j = 0; j < p; ++j) {
    ColumnCheck& check = checks[j];
    check.name = std::to_string(sparse.index_base + static_cast<Index>(j));
    if (rows > stored[j]) lowest[j] = std::min(lowest[j], 0.0), highest[j] = std::max(highest[j], 0.0);
    check.mean = rows > 0 ? sums[j].value() / n : kNaN;
    squares[j].add(static_cast<double>(rows - stored[j]) * check.mean * check.mean);
    check.deviation = std::sqrt(squares[j].value() / n);
    check.lowest = lowest[j];
    check.highest = highest[j];
    check.constant = lowest[j] == highest[j];
    check.distinct = check.constant ? 1 : 0; // not counted
    check.variance_inflation = kNaN;
  }
  return checks;
}

} // namespace recta::checkup
