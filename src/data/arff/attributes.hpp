// The declarations of an ARFF file.
#pragma once

#include <recta/dataset.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace recta::arff {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

struct Attribute {
  std::string name;
  ColumnType type = ColumnType::real;
  std::vector<std::string> levels; // nominal: sorted
  std::unordered_map<std::string, std::int32_t, TextHash, std::equal_to<>> codes;
  std::int32_t first_code = -1; // of the value declared first, which a sparse row means when it leaves one out
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
