// Rows that a fit or an evaluation leaves out, and why.
#pragma once

#include "json.hpp"

#include <recta/model.hpp>

#include <utility>

namespace recta::cli {

// Rows in which a value that the model reads is missing, and how many of them in each such column.
struct MissingRows {
  Index rows = 0;
  std::vector<std::pair<std::string, Index>> columns;
};
bool lacks_feature(const Schema& schema, const Dataset& data, Index row); // a value that the model reads is missing
MissingRows missing_rows(const Schema& schema, const Dataset& data);

// "12 of 300 rows: a value is missing in income (10 rows), y (3 rows)"; empty if none were left out. Those without a
// missing value have weight zero.
std::string left_out_text(Index left_out, Index rows, const MissingRows& missing);
std::string left_out_line(Index left_out, Index rows, const MissingRows& missing); // among the other lines of a fit
void left_out_field(Json& json, Index left_out, const MissingRows& missing);

} // namespace recta::cli
