// Rows with further columns among their features: in a chain, those of the labels before.
#pragma once

#include "combine/table.hpp"

namespace recta::combine {

// Columns of 0 and 1, each as long as the rows, and the feature before which they stand.
struct Inserted {
  Index place = 0;
  std::vector<std::vector<double>> columns{};
};

// The memory that a widened batch points into.
struct WideRows {
  std::vector<double> x{}, low{}, value{};
  std::vector<std::int64_t> start{}, index{};
  Batch batch{};
};
void widen(const Batch& rows, const Inserted& inserted, WideRows& out);

Table widened(const Table& table, const Inserted& inserted);

} // namespace recta::combine
