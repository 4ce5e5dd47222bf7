// The errors of the reader: where, what stands there, and what to do.
#include "data/csv/rows.hpp"
#include "data/csv/scan.hpp"
#include "data/dataset.hpp"
#include "data/number_advice.hpp"
#include "data/value_look.hpp"

#include <fmt/format.h>

namespace recta::csv {
namespace {

std::string number_advice(const Failure& failure, const Layout& layout, bool first_row) {
  const std::string& name = layout.names[failure.col];
  if (layout.dialect.wrong_groups(failure.text))
    return fmt::format("correct it, say with --decimal and --thousands what '{}' means, or pass --types {}=category",
                       layout.dialect.thousands, name);
  if (const std::string advice = mark_advice(failure.text); !advice.empty()) return advice;
  if (first_row && !layout.header) return "pass --header if the first row holds the names";
  if (is_infinite(failure.text))
    return fmt::format("infinite values cannot be used: correct it, or pass --missing-tokens {}", failure.text);
  if (layout.expected[failure.col])
    return fmt::format(
        "the model was trained on numbers in {}: correct it, or pass --missing-tokens if it stands for a "
        "missing value",
        name);
  if (const std::string advice = look_advice(look_of(failure.text), failure.text, name); !advice.empty()) return advice;
  return fmt::format("correct it, or pass --types {}=category, or --missing-tokens if it stands for a missing value",
                     name);
}

std::string ragged_text(const Failure& failure, const Layout& layout) {
  const Index cols = layout.cols();
  return fmt::format("the row has {} field{} where {} {} expected", failure.number, failure.number == 1 ? "" : "s",
                     cols, cols == 1 ? "is" : "are");
}

} // namespace

bool is_word(std::string_view text, const Dialect& dialect) {
  return !is_infinite(text) && dialect.number(text).status == NumberStatus::not_a_number &&
         number_form(text) == NumberForm::none;
}

Error describe(const Failure& failure, const Layout& layout, const char* block, const char* end, Index line) {
  const auto line_of = [&](const char* p) { return line + count_lines(block, p < end ? p : end); };
  const Index row_line = line_of(failure.row), at_line = line_of(failure.at);
  std::string where = fmt::format("{}:{}", layout.source, at_line);
  if (failure.fault != Fault::ragged) {
    where += fmt::format(":{}", failure.col + 1);
    if (failure.col < layout.cols()) where += fmt::format(", column {}", layout.names[failure.col]);
  }
  if (row_line != at_line) where += fmt::format(" (row begins on line {})", row_line);
  const auto bad = [&](std::string what, std::string advice) {
    return Error{ErrorCode::bad_data, where, std::move(what), std::move(advice)};
  };
  const std::string text = shown(failure.text);
  switch (failure.fault) {
  case Fault::not_a_number:
    return bad(text + (layout.dialect.wrong_groups(failure.text)
                           ? " is not a number: its digits are not in groups of three"
                           : " is not a number"),
               number_advice(failure, layout, row_line == layout.data_line));
  case Fault::too_large:
    return bad(text + " is too large for a double", "correct it; the largest is about 1.8e308");
  case Fault::ragged:
    return bad(ragged_text(failure, layout), "correct the row, or pass --separator if it was detected wrongly");
  case Fault::unclosed_quote:
    return bad("the quote that opens here is never closed", "close it, or double it if it belongs to the text");
  case Fault::text_after_quote:
    return bad("text follows the closing quote", "double the quotes that belong to the text");
  case Fault::bad_utf8:
    return bad(fmt::format("byte {} of the field {} is not UTF-8", failure.number + 1, text),
               "convert the file first, for example with iconv -f latin1 -t utf-8, or pass --bad-utf8 replace");
  case Fault::nul_byte:
    return bad(fmt::format("the field {} holds a NUL byte", text), "the file is not text, or is UTF-16: convert it");
  case Fault::too_many_levels:
    return bad("the column has more than 2147483647 distinct values", "pass --types to read it as text");
  }
  return bad("cannot be read", "");
}

} // namespace recta::csv
