// The results a thread gathers while it parses its pieces, and how the levels that several threads met become those of
// the table.
#pragma once

#include "data/csv/layout.hpp"
#include "data/level_table.hpp"

#include <recta/dataset.hpp>

#include <span>
#include <vector>

namespace recta::csv {

struct Worker {
  std::vector<LevelTable> levels; // one per category column
  std::vector<std::uint8_t> real; // per column: some number was not an integer
  std::size_t level_bytes = 0;    // as the budget knows them
};

// Rows that one worker parsed: the codes in them are its own.
struct WorkedRows {
  Index first_row = 0, rows = 0;
  std::size_t worker = 0;
};

// The memory that a worker needs for its columns, before it has met anything.
std::size_t worker_bytes(const Layout& layout);

// The memory that the levels take now, and will take when they are joined with those of other workers, sorted and made
// strings.
std::size_t level_bytes(const Worker& worker, bool alone);

// The sorted levels, and the codes that belong to them. What is not needed any more is given back step by step.
void merge_levels(Column& column, std::size_t category, std::span<Worker> workers, std::span<const WorkedRows> parts);

} // namespace recta::csv
