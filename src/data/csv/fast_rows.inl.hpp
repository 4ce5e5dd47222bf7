// The body of parse_fast_rows. Everything here is inlined into the function that includes it, so that no code
// compiled for one instruction set is ever shared with another.
#pragma once

#include "data/csv/fast_rows.hpp"
#include "data/csv/masks.hpp"
#include "data/number.hpp"

namespace recta::csv {
namespace {

[[gnu::always_inline]] inline bool is_blank(const FastRows& rows, char c) {
  return c == ' ' || c == rows.blank;
}

[[gnu::always_inline]] inline bool blank_line(const FastRows& rows, const char* p, const char* end) {
  while (p != end && is_blank(rows, *p)) ++p;
  return p == end;
}

[[gnu::always_inline]] inline bool store_field(FastRows& rows, const char* begin, const char* end, Index col) {
  if (rows.kinds[col] == FieldKind::number) [[likely]] {
    while (begin != end && is_blank(rows, *begin)) ++begin;
    const Number number = parse_number(begin, end, rows.decimal);
    if (number.status == NumberStatus::ok && !rows.checks_numbers) [[likely]] {
      rows.values[col][rows.row] = number.value;
      rows.real[col] |= !number.integer;
      return true;
    }
  }
  return rows.field(rows.owner, begin, end, col, rows.row);
}

[[gnu::always_inline]] inline FastStop fast_rows_body(FastRows& rows) {
  const char* field = rows.at;
  const Index last_col = rows.cols - 1;
  Index col = 0;
  for (const char* base = rows.at; base < rows.end; base += 64) {
    const auto left = static_cast<std::size_t>(rows.end - base);
    const Masks masks = left >= 64 ? classify(base, rows.separator) : classify_tail(base, left, rows.separator);
    if (rows.quotes && masks.quotes) {
      rows.slow_until = left >= 64 ? base + 64 : rows.end;
      return FastStop::quote;
    }
    std::uint64_t bits = masks.ends | masks.separators;
    while (bits) {
      const char* stop = base + __builtin_ctzll(bits);
      const bool row_ends = masks.ends & bits & -bits;
      bits &= bits - 1;
      if (row_ends != (col == last_col)) [[unlikely]] {
        const bool blank = row_ends && col == 0 && blank_line(rows, rows.at, stop);
        if (!blank) return FastStop::ragged;
        rows.at = field = stop + 1;
        continue;
      }
      if (row_ends && last_col == 0 && blank_line(rows, rows.at, stop)) {
        rows.at = field = stop + 1;
        continue;
      }
      if (!store_field(rows, field, stop, col)) [[unlikely]]
        return FastStop::field;
      field = stop + 1;
      ++col;
      if (row_ends) {
        col = 0;
        ++rows.row;
        rows.at = field;
      }
    }
  }
  rows.slow_until = rows.end; // a last row without a row end
  return FastStop::end;
}

} // namespace
} // namespace recta::csv
