// The border of the library for tables: one that a caller brought is checked before any work on it.
#pragma once

#include "base/guard.hpp"

#include <recta/dataset.hpp>

namespace recta {

// An error names the column and the row where the table is none.
Result<void> check_table(const Dataset& table);

// Checks a table at its first use: while the object lives, calls on this thread that are given the same table again
// need not.
class EnteredTable {
public:
  explicit EnteredTable(const Dataset& table);
  ~EnteredTable() { innermost_ = outer_; }
  EnteredTable(const EnteredTable&) = delete;
  EnteredTable& operator=(const EnteredTable&) = delete;

  const Result<void>& checked() const { return checked_; }

private:
  const Dataset* table_;
  const EnteredTable* outer_;
  Result<void> checked_{};

  static thread_local const EnteredTable* innermost_;
};

// guarded() for work on a caller's table.
template <class Work>
auto guarded(const Dataset& table, std::string_view advice, Work&& work) -> decltype(work()) {
  return guarded(table.source, advice, [&]() -> decltype(work()) {
    const EnteredTable entered(table);
    if (!entered.checked()) return std::unexpected(entered.checked().error());
    return work();
  });
}

} // namespace recta
