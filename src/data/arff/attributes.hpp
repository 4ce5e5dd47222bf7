// The declarations of an ARFF file.
#pragma once

#include "data/level_table.hpp"

#include <recta/dataset.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace recta::arff {

// The values of a nominal attribute: as declared, the place of each among the sorted ones, which is its code, and if
// its column is one of numbers, the number that each is.
struct Nominal {
  LevelTable values;
  std::vector<std::int32_t> code;
  std::vector<double> number;
};

// The type is that of the column: the one asked for, else the one declared. Values declared as {0, 1} are numbers, one
// feature of any model. A category without declared values has those of its rows.
struct Attribute {
  std::string name;
  ColumnType type = ColumnType::real;
  std::unique_ptr<Nominal> nominal; // nullptr: no values were declared
};

struct Declarations {
  std::vector<Attribute> attributes;
  std::vector<std::string> notes;
  std::size_t bytes = 0; // up to the line after @data
  Index lines = 0;
};

bool is_data_line(std::string_view line); // "@data", in any case
bool is_row(std::string_view line);       // neither blank nor a comment

// Reads to the end of the @data line.
Result<Declarations> parse_declarations(std::string_view text, const std::string& source, const ReadOptions& options);

// Columns with names, types and levels, and no rows.
Dataset empty_table(const Declarations& declared, const std::string& source);

} // namespace recta::arff
