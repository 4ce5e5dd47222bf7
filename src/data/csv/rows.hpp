// Rows of bytes to columns of values: the one parser that whole reads and streams share.
#pragma once

#include "data/csv/fast_rows.hpp"
#include "data/csv/layout.hpp"
#include "data/level_table.hpp"

#include <recta/dataset.hpp>

#include <optional>
#include <span>

namespace recta::csv {

// The destination of the values of one column. Numbers and codes are written at the row's place.
struct Target {
  ColumnType type = ColumnType::real;
  double* values = nullptr;
  std::int32_t* codes = nullptr;
  std::string* text = nullptr;
  std::uint32_t category = 0; // number of this column among the category columns
};

// Sets Target::category; returns how many there are.
std::size_t number_categories(std::span<Target> targets);

enum class Fault : std::uint8_t {
  not_a_number,
  too_large,
  ragged,
  unclosed_quote,
  text_after_quote,
  bad_utf8,
  nul_byte,
  too_many_levels
};

struct Failure {
  Fault fault{};
  const char* at = nullptr;  // the byte to blame
  const char* row = nullptr; // where its row begins
  Index col = 0, number = 0; // the fields of a ragged row, or the place of a byte that is not UTF-8
  std::string text;          // the field
};

class RowParser {
public:
  // One level table per category column.
  RowParser(const Layout& layout, std::span<const Target> targets, std::span<LevelTable> levels);

  // Parses all rows of [begin, end); the first goes to place `row`.
  std::optional<Failure> parse(const char* begin, const char* end, Index row);
  // Per column: some number so far was not an integer.
  const std::vector<std::uint8_t>& real() const { return real_; }
  std::size_t text_bytes() const { return text_bytes_; } // bytes of texts that do not fit into a string itself
  static constexpr std::size_t kColumnBytes = 112;       // the most bytes that a parser takes per column

private:
  static bool fast_field(void* self, const char* begin, const char* end, Index col, Index row, double* place);
  bool slow_rows(const char*& at, const char* until, const char* end, Index& row);
  bool slow_row(FieldReader& reader, Index row);
  bool store(const Field& field, Index col, Index row, double* place = nullptr); // place: of a number, if elsewhere
  bool store_number(const Field& field, Index col, double& place);
  bool store_level(const Field& field, Index col, Index row);
  bool valid_text(const Field& field, Index col);
  bool blame(Fault fault, const Field& field, Index col);
  bool blame_ragged(const char* row, const char* end);

  const Layout& layout_;
  std::span<const Target> targets_;
  std::span<LevelTable> levels_;
  std::size_t text_bytes_ = 0;
  std::vector<FieldKind> kinds_;
  std::vector<double*> values_;
  std::vector<std::uint8_t> real_;
  std::vector<std::uint32_t> stops_;
  Values scratch_;
  std::vector<std::uint8_t> points_;
  std::optional<Failure> failure_;
};

// The failure as the user sees it. `block` begins on line `line` of the file.
Error describe(const Failure& failure, const Layout& layout, const char* block, const char* end, Index line);

} // namespace recta::csv
