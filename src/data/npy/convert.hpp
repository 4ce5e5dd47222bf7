// Numbers of a .npy array, of any width and byte order, to columns of doubles.
#pragma once

#include "data/npy/header.hpp"

namespace recta::npy {

// Columns with names and types and no rows.
std::vector<Column> columns_of(const Header& head);

struct RowRange {
  Index first = 0, count = 0;
  Index to = 0; // row of the columns where the first one goes; there must be room
};
// Rows of an array whose numbers begin at `data`.
void convert_rows(const Header& head, const char* data, const RowRange& range, std::vector<Column>& columns);

// An infinite number is refused: it is no missing value, and nothing can be learned from it.
Result<void> check_finite(const std::vector<Column>& columns, Index first_row, const std::string& source);

} // namespace recta::npy
