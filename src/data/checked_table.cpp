#include "data/checked_table.hpp"

#include "base/numbers.hpp"
#include "data/dataset.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

namespace recta {

thread_local const EnteredTable* EnteredTable::innermost_ = nullptr;

namespace {

constexpr std::string_view kCure =
    "give every column as many values as there are rows, and codes that number its levels";

class TableCheck {
public:
  explicit TableCheck(const Dataset& table) : table_(table) {}

  Result<void> run() const {
    if (table_.rows < 0) return refuse("", fmt::format("it has {} rows", table_.rows));
    if (table_.first_row < 0) return refuse("", fmt::format("its first row has the number {}", table_.first_row));
    std::unordered_set<std::string_view> names;
    for (const Column& column : table_.columns) {
      if (!names.insert(column.name).second) return refuse(in(column), "another column has the same name");
      if (auto good = check(column); !good) return good;
    }
    return check(table_.sparse);
  }

private:
  static std::string in(const Column& column) { return fmt::format(", column {}", shown(column.name)); }
  std::unexpected<Error> refuse(const std::string& where, const std::string& what) const {
    const std::string source = table_.source.empty() ? "the table" : table_.source;
    return fail(ErrorCode::bad_data, source + where, what, kCure);
  }

  Result<void> check(const Column& column) const {
    if (column.type > ColumnType::text) return refuse(in(column), "it is of no type that there is");
    if (column.rows() != table_.rows)
      return refuse(in(column), fmt::format("it has {} {}, and the table has {} rows", column.rows(),
                                            column.type == ColumnType::category ? "codes"
                                            : column.type == ColumnType::text   ? "texts"
                                                                                : "values",
                                            table_.rows));
    return column.type == ColumnType::category ? check_levels(column) : Result<void>{};
  }

  Result<void> check_levels(const Column& column) const {
    const auto levels = std::ssize(column.levels);
    const auto bad = std::ranges::find_if(column.codes, [&](Index code) { return code < -1 || code >= levels; });
    if (bad != column.codes.end())
      return refuse(fmt::format(", row {}{}", table_.first_row + (bad - column.codes.begin()) + 1, in(column)),
                    fmt::format("the code {} names none of {} levels", *bad, levels));
    return {};
  }

  Result<void> check(const SparseColumns& sparse) const {
    if (sparse.cols < 0) return refuse("", fmt::format("it has {} sparse columns", sparse.cols));
    if (sparse.start.empty() && sparse.index.empty() && sparse.value.empty() && (sparse.cols == 0 || table_.rows == 0))
      return {};
    if (std::ssize(sparse.start) != table_.rows + 1 || sparse.start.front() != 0 ||
        sparse.start.back() != std::ssize(sparse.index) || sparse.index.size() != sparse.value.size())
      return refuse("", fmt::format("{} places where sparse rows start, {} places and {} values are not those of {} "
                                    "rows",
                                    sparse.start.size(), sparse.index.size(), sparse.value.size(), table_.rows));
    for (Index i = 0; i < table_.rows; ++i)
      if (!ascends(sparse, i))
        return refuse(fmt::format(", row {}", table_.first_row + i + 1),
                      fmt::format("its sparse places do not ascend from 0 to below {}", sparse.cols));
    return {};
  }

  static bool ascends(const SparseColumns& sparse, Index row) {
    const Index from = sparse.start[at(row)], to = sparse.start[at(row + 1)];
    if (from > to || to > std::ssize(sparse.index)) return false;
    Index before = -1;
    for (Index k = from; k < to; ++k) {
      if (sparse.index[at(k)] <= before) return false;
      before = sparse.index[at(k)];
    }
    return before < sparse.cols;
  }

  const Dataset& table_;
};

} // namespace

Result<void> check_table(const Dataset& table) {
  return TableCheck(table).run();
}

EnteredTable::EnteredTable(const Dataset& table) : table_(&table), outer_(innermost_) {
  const EnteredTable* known = outer_;
  while (known && known->table_ != &table) known = known->outer_;
  if (!known) checked_ = check_table(table);
  innermost_ = this;
}

} // namespace recta
