// Rows without quotes, parsed straight from 64-byte masks: the inner loop of the reader. One source, fast_rows.inl.hpp,
// is compiled once for each instruction set.
#pragma once

#include <recta/error.hpp>

#include <cstdint>

namespace recta::csv {

enum class FieldKind : std::uint8_t { number, other };

struct FastRows {
  // in
  const char* begin = nullptr; // nothing before this is looked at
  const char* end = nullptr;
  Index cols = 0;
  const FieldKind* kinds = nullptr;                  // a column
  double* const* values = nullptr;                   // a column; set where the kind is number
  char separator = ',', decimal = '.', blank = '\t'; // ' ' is a blank too
  bool quotes = true, checks_numbers = false;        // the latter: a number may stand for a missing value
  std::uint32_t* stops = nullptr;                    // room for the places of separators and row ends
  std::size_t stops_room = 0;                        // at least fast_stops(cols)
  void* owner = nullptr;
  // Everything that is not a plain number. false: stop.
  bool (*field)(void* owner, const char* begin, const char* end, Index col, Index row) = nullptr;
  // in and out
  const char* at = nullptr;     // a row begins here; afterwards, the row where it stopped
  Index row = 0;                // its number
  std::uint8_t* real = nullptr; // a column: set where a number is not an integer
  // out
  const char* slow_until = nullptr; // rows up to here need FieldReader
};

inline std::size_t fast_stops(Index cols) {
  return static_cast<std::size_t>(cols) * 4 + 4096;
}

enum class FastStop : std::uint8_t { slow, ragged, field }; // slow: see slow_until

using ParseFastRows = FastStop (*)(FastRows&);
FastStop parse_fast_rows(FastRows& rows);
#if defined(__x86_64__)
FastStop parse_fast_rows_avx2(FastRows& rows);
#endif

ParseFastRows fastest_parse_rows();

} // namespace recta::csv
