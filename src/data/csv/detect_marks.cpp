// The meaning of the commas and points of numbers, by all values of the sample:
//   1,234,567 and 1,234.5   the comma parts thousands
//   1.234,5                 the point does, and the comma is the decimal mark
//   1,5 and 0,123           the comma is the decimal mark
//   1,234 and nothing else  either: it is left to the user
// A character is taken for a thousands separator only if every value of the columns that have it is then a number.
#include "data/csv/layout.hpp"
#include "data/csv/scan.hpp"

#include <algorithm>
#include <array>

namespace recta::csv {
namespace {

class Forms { // how many values have each form
public:
  Index& operator[](NumberForm form) { return counts_[static_cast<std::size_t>(form)]; }
  Index any(std::initializer_list<NumberForm> forms) const {
    Index sum = 0;
    for (const NumberForm form : forms) sum += counts_[static_cast<std::size_t>(form)];
    return sum;
  }

private:
  std::array<Index, kNumberForms> counts_{};
};

struct ColumnForms {
  Forms forms;
  MarkedNumber unclear, grouped; // the first ones
};

void count_form(const Field& field, bool first_row, const char* file, ColumnForms& column) {
  const NumberForm form = number_form(field.text);
  if (first_row && form == NumberForm::none) return; // it may be a header
  if (++column.forms[form] > 1) return;
  const MarkedNumber first{0, 1 + count_lines(file, field.begin), std::string(field.text)};
  if (form == NumberForm::comma_and_three) column.unclear = first;
  if (form == NumberForm::comma_groups || form == NumberForm::point_groups_comma) column.grouped = first;
}

std::vector<ColumnForms> count_forms(std::string_view sample, bool whole, const Dialect& dialect,
                                     const MissingTokens& missing) {
  RowScan scan(dialect);
  scan.run(sample.data(), whole ? sample.size() : sample.size() - 1, whole, kSampleRows + 1);
  const bool all = whole && scan.rows() <= kSampleRows;
  FieldReader reader(dialect, sample.data(), sample.data() + (all ? sample.size() : scan.state().line));
  std::vector<ColumnForms> columns;
  for (bool first_row = true; reader.next_row(); first_row = false) {
    Field field;
    FieldEnd stop = FieldEnd::separator;
    for (std::size_t col = 0; stop == FieldEnd::separator; ++col) {
      stop = reader.next(field);
      if (stop == FieldEnd::unclosed || stop == FieldEnd::trailing) return columns;
      if (col == columns.size()) {
        if (!first_row) return columns; // a ragged row, which is refused when it is its turn
        columns.emplace_back();
      }
      if (!missing.contains(field.text)) count_form(field, first_row, sample.data(), columns[col]);
    }
  }
  return columns;
}

using enum NumberForm;

// True if columns have values of this form, and none also has a value that could then be no number.
bool consistent(const std::vector<ColumnForms>& columns, NumberForm form, std::initializer_list<NumberForm> against) {
  bool any = false;
  for (const ColumnForms& column : columns) {
    if (column.forms.any({form}) == 0) continue;
    if (column.forms.any(against) > 0) return false;
    any = true;
  }
  return any;
}

std::vector<MarkedNumber> those_set(const std::vector<ColumnForms>& columns, MarkedNumber ColumnForms::* member) {
  std::vector<MarkedNumber> numbers;
  for (std::size_t col = 0; col < columns.size(); ++col) {
    const MarkedNumber& number = columns[col].*member;
    if (number.line > 0) numbers.push_back({static_cast<Index>(col), number.line, number.text});
  }
  return numbers;
}

} // namespace

void detect_marks(std::string_view sample, bool whole, const ReadOptions& options, DetectedDialect& detected) {
  const std::vector<ColumnForms> columns = count_forms(sample, whole, detected.dialect, MissingTokens(options));
  const auto in_file = [&](std::initializer_list<NumberForm> forms) {
    return std::ranges::any_of(columns, [&](const ColumnForms& column) { return column.forms.any(forms) > 0; });
  };
  Dialect& dialect = detected.dialect;
  const bool comma_parts = options.decimal != ',' && !in_file({comma, point_groups_comma}) &&
                           consistent(columns, comma_groups, {none, point_groups});
  const bool point_parts =
      options.decimal != '.' && !in_file({point, comma_groups}) && consistent(columns, point_groups_comma, {none});
  if (comma_parts || point_parts) {
    dialect.thousands = comma_parts ? ',' : '.';
    dialect.decimal = comma_parts ? '.' : ',';
    detected.grouped = those_set(columns, &ColumnForms::grouped);
  } else if (!options.decimal && dialect.decimal == ',' && !in_file({comma})) {
    if (in_file({point, point_and_three}))
      dialect.decimal = '.';
    else
      detected.unclear = those_set(columns, &ColumnForms::unclear);
  }
}

} // namespace recta::csv
