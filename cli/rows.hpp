// Rows of a table: which are held out, and a table made of some of them.
#pragma once

#include "output.hpp"

#include <recta/dataset.hpp>

#include <vector>

namespace recta::cli {

struct Split {
  std::vector<Index> train, held_out; // row numbers from 0, ascending
};

// The round(share * rows) rows whose hash of (seed, row) is smallest are held out: the same rows on every machine, and
// whatever the order of reading.
Split split_rows(Index rows, double share, std::uint64_t seed);

// The rows named. Levels of a category that none of them has are dropped: a model must not learn of them.
Dataset take_rows(const Dataset& data, const std::vector<Index>& rows);

// Number or text of one cell, as CSV.
std::string cell_text(const Column& column, Index row);

// The first `rows` rows with their header; sparse columns are written out and called after their numbers.
void write_csv(Output& out, const Dataset& data, Index rows);

} // namespace recta::cli
