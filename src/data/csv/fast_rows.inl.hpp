// The body of parse_fast_rows, in two steps over a few thousand fields at a time: first the places where fields stop
// are listed, without a branch for each, then rows are read from the list. Everything here is inlined into the function
// that includes it, so that no code compiled for one instruction set is ever shared with another.
#pragma once

#include "data/csv/fast_number.hpp"
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

[[gnu::always_inline]] inline bool is_end(char c) {
  return c == '\n' || c == '\r';
}

[[gnu::always_inline]] inline bool store_field(FastRows& rows, const char* begin, const char* end, Index col) {
  if (rows.kinds[col] == FieldKind::number) [[likely]] {
    double& value = rows.values[col][rows.row];
    if (end - rows.begin > 32 && !rows.checks_numbers) [[likely]]
      if (fast_number(begin, end, rows.decimal, value, rows.real[col])) [[likely]]
        return true;
  }
  return rows.field(rows.owner, begin, end, col, rows.row);
}

struct Stops {
  std::size_t count = 0;
  const char* seen = nullptr; // all stops before this are listed
  bool quote = false;         // a quote follows within 64 bytes
};

// Lists the stops from rows.at on as offsets from there.
[[gnu::always_inline]] inline Stops list_stops(const FastRows& rows) {
  Stops stops{0, rows.at, false};
  while (stops.seen < rows.end && stops.count + 64 <= rows.stops_room) {
    const auto left = static_cast<std::size_t>(rows.end - stops.seen);
    const auto offset = stops.seen - rows.at;
    const Masks masks =
        left >= 64 ? classify(stops.seen, rows.separator) : classify_tail(stops.seen, left, rows.separator);
    stops.quote = rows.quotes && masks.quotes;
    if (stops.quote || offset > 0x7FFFFFFF) break;
    std::uint64_t bits = masks.ends | masks.separators;
    const int found = __builtin_popcountll(bits);
    std::uint32_t* out = rows.stops + stops.count;
    for (int done = 0; done < found; done += 8) // writes up to seven too many; the next ones overwrite them
      for (int k = 0; k < 8; ++k) {
        out[done + k] = static_cast<std::uint32_t>(offset + __builtin_ctzll(bits | std::uint64_t{1} << 63));
        bits &= bits - 1;
      }
    stops.count += static_cast<std::size_t>(found);
    stops.seen += left < 64 ? left : 64;
  }
  return stops;
}

enum class RowsRead : std::uint8_t { all, ragged, field };

// Reads the rows that end within the list.
[[gnu::always_inline]] inline RowsRead read_listed(FastRows& rows, const Stops& stops) {
  const char* const base = rows.at;
  const std::uint32_t* stop = rows.stops;
  const std::uint32_t* const stop_end = rows.stops + stops.count;
  const Index last = rows.cols - 1;
  while (stop_end - stop > last) {
    const char* field = rows.at;
    const char* first = base + *stop;
    if (is_end(*first) && blank_line(rows, field, first)) {
      rows.at = first + 1;
      ++stop;
      continue;
    }
    for (Index col = 0; col <= last; ++col) {
      const char* end = base + stop[col];
      const bool expected = col == last ? is_end(*end) : *end == rows.separator;
      if (!expected) [[unlikely]]
        return RowsRead::ragged;
      if (!store_field(rows, field, end, col)) [[unlikely]]
        return RowsRead::field;
      field = end + 1;
    }
    stop += rows.cols;
    rows.at = field;
    ++rows.row;
  }
  return RowsRead::all;
}

[[gnu::always_inline]] inline FastStop fast_rows_body(FastRows& rows) {
  while (true) {
    const char* const before = rows.at;
    const Stops stops = list_stops(rows);
    const RowsRead read = read_listed(rows, stops);
    if (read == RowsRead::ragged) return FastStop::ragged;
    if (read == RowsRead::field) return FastStop::field;
    if (stops.seen == rows.end || rows.at == before) { // a last row without end, quotes, or a huge row
      const bool whole = rows.end - stops.seen < 64;
      rows.slow_until = stops.quote && !whole ? stops.seen + 64 : stops.quote ? rows.end : stops.seen;
      return FastStop::slow;
    }
  }
}

} // namespace
} // namespace recta::csv
