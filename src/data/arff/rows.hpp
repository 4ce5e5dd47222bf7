// ARFF rows to columns.
#pragma once

#include "data/arff/attributes.hpp"
#include "data/input.hpp"

namespace recta::arff {

struct RowsContext {
  const Declarations& declared;
  const std::string& source;
  Index first_line = 1;
  std::uint64_t most_bytes = 0; // the most bytes that the rows may take: sparse rows can be far larger than their text
  std::uint64_t limit = 0;      // the limit of the whole table, for the message
  const Bytes* bytes = nullptr; // where what was read is released
};

std::uint64_t row_bytes(const Declarations& declared); // bytes that one row takes in the table

// Appends to `table`, whose columns are those of empty_table(). `lines` are whole lines.
Result<void> parse_rows(std::string_view lines, const RowsContext& context, Dataset& table);

} // namespace recta::arff
