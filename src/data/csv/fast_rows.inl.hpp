// The body of parse_fast_rows, in two steps over a few thousand fields at a time: first the places where fields stop
// are listed, without a branch for each, then rows are read from the list. Everything here is inlined into the function
// that includes it, so that no code compiled for one instruction set is ever shared with another.
#pragma once

#include "data/csv/fast_rows.hpp"
#include "data/csv/fast_scratch.hpp"
#include "data/csv/fast_store.hpp"
#include "data/csv/masks.hpp"

namespace recta::csv {
namespace {

[[gnu::always_inline]] inline bool is_blank(const FastRows& rows, char c) {
  return c == ' ' || c == rows.blank;
}

[[gnu::always_inline]] inline bool blank_line(const FastRows& rows, const char* p, const char* end) {
  while (p != end && is_blank(rows, *p)) ++p;
  return p == end;
}

struct Stops {
  std::size_t count = 0;      // stops listed
  std::size_t ends = 0;       // how many of them are row ends
  const char* next = nullptr; // all stops before this are listed
  bool quote = false;         // a quote follows within 64 bytes
};

[[gnu::always_inline]] inline void list_block(const FastRows& rows, const Masks& masks, std::uint32_t offset,
                                              Stops& stops) {
  const std::uint64_t all = masks.ends | masks.separators;
  const int stop_count = __builtin_popcountll(all);
  std::uint32_t* out = rows.stops + stops.count;
  std::uint64_t bits = all;
  for (int done = 0; done < stop_count; done += 4) // writes up to three too many; the next ones overwrite them
    for (int k = 0; k < 4; ++k) {
      out[done + k] = offset + static_cast<std::uint32_t>(__builtin_ctzll(bits | std::uint64_t{1} << 63));
      bits &= bits - 1;
    }
  for (std::uint64_t ends = masks.ends; ends; ends &= ends - 1) {
    const int before = __builtin_popcountll(all & ((ends & -ends) - 1));
    rows.ends[stops.ends++] = static_cast<std::uint32_t>(stops.count) + static_cast<std::uint32_t>(before);
  }
  stops.count += static_cast<std::size_t>(stop_count);
}

// Text is asked for that far ahead, about as much as one list covers: it comes while the rows of the list are read.
inline constexpr std::size_t kAhead = 1 << 14;

[[gnu::always_inline]] inline void prefetch(const char* text) { // past the end of the text it does no harm
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(text) + kAhead));
}

// Lists the stops from rows.at on as offsets from there, and the numbers of those that are row ends.
[[gnu::always_inline]] inline Stops list_stops(const FastRows& rows) {
  Stops stops{0, 0, rows.at, false};
  while (stops.next < rows.end && stops.count + 64 <= rows.stops_room) {
    const auto left = static_cast<std::size_t>(rows.end - stops.next);
    const auto offset = stops.next - rows.at;
    prefetch(stops.next);
    const Masks masks =
        left >= 64 ? classify(stops.next, rows.separator) : classify_tail(stops.next, left, rows.separator);
    stops.quote = rows.quotes && masks.quotes;
    if (stops.quote || offset > 0x7FFFFFFF) break;
    list_block(rows, masks, static_cast<std::uint32_t>(offset), stops);
    stops.next += left < 64 ? left : 64;
  }
  return stops;
}

enum class RowsRead : std::uint8_t { all, odd, field };

// Scratch memory goes to the columns.
[[gnu::always_inline]] inline void empty(const FastRows& rows, Index& held) {
  note_points(rows, held);
  empty_scratch(rows, held);
  held = 0;
}

// Reads the rows that end within the list; stops at one with another number of fields. `held`: rows in scratch.
template <bool all_numbers>
[[gnu::always_inline]] inline RowsRead read_listed(FastRows& state, const Stops& stops, Index& held) {
  FastRows rows = state; // a copy that nothing else points to stays in registers
  const char* const base = rows.at;
  RowStore<all_numbers> store(rows, base, held);
  const std::uint32_t* stop = rows.stops;
  RowsRead answer = RowsRead::all;
  for (std::size_t k = 0; k < stops.ends; ++k) {
    const std::uint32_t* const row_end = rows.stops + rows.ends[k];
    const char* end = base + *row_end;
    if (row_end == stop && blank_line(rows, rows.at, end)) {
      rows.at = end + 1;
      ++stop;
      continue;
    }
    if (row_end - stop != rows.cols - 1 || rows.at - rows.begin < 33) [[unlikely]] {
      answer = RowsRead::odd; // also at the start, where too few bytes precede
      break;
    }
    if (!store.row(stop, held)) [[unlikely]] {
      answer = RowsRead::field;
      break;
    }
    stop = row_end + 1;
    rows.at = end + 1;
    ++rows.row;
    if (++held < rows.scratch_rows) continue;
    if (!store.finish()) [[unlikely]] {
      answer = RowsRead::field;
      break;
    }
    empty(rows, held);
    store.emptied();
  }
  if (answer != RowsRead::field && !store.finish()) answer = RowsRead::field;
  state.at = rows.at;
  state.row = rows.row;
  return answer;
}

[[gnu::always_inline]] inline FastStop fast_rows_body(FastRows& rows) {
  Index held = 0;
  while (true) {
    const char* const before = rows.at;
    const Stops stops = list_stops(rows);
    const RowsRead read =
        rows.all_numbers ? read_listed<true>(rows, stops, held) : read_listed<false>(rows, stops, held);
    if (read == RowsRead::field) return FastStop::field;
    if (read == RowsRead::all && stops.next != rows.end && rows.at != before) continue;
    empty(rows, held); // the rows that follow are stored one by one
    rows.slow_until = rows.at + 1;
    if (read == RowsRead::odd) return FastStop::slow;
    if (stops.next == rows.end) return FastStop::slow; // a last row without a row end, or nothing
    if (stops.quote) rows.slow_until = rows.end - stops.next < 64 ? rows.end : stops.next + 64;
    return FastStop::slow; // quotes, or a huge row
  }
}

} // namespace
} // namespace recta::csv
