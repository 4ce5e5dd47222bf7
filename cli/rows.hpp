// Rows of a table as CSV.
#pragma once

#include "output.hpp"

#include <recta/dataset.hpp>

#include <vector>

namespace recta::cli {

using report::shortest;

// Number or text of one cell, as CSV.
std::string cell_text(const Column& column, Index row);

// The first `rows` rows with their header; sparse columns are written out and called after their numbers.
void write_csv(Output& out, const Dataset& data, Index rows);

} // namespace recta::cli
