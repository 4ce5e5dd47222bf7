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
  const FieldKind* kinds = nullptr;                  // per column
  double* const* values = nullptr;                   // per column; set if the kind is number
  char separator = ',', decimal = '.', blank = '\t'; // ' ' is a blank too
  bool quotes = true;
  std::uint32_t* stops = nullptr; // room for the places of separators and row ends
  std::uint32_t* ends = nullptr;  // room for as many more
  std::size_t stops_room = 0;     // at least fast_stops(cols)
  bool all_numbers = false;       // every column is of that kind
  void* owner = nullptr;
  // Everything that is not a plain number; `place` is where a number goes. false: stop.
  bool (*field)(void* owner, const char* begin, const char* end, Index col, Index row, double* place) = nullptr;
  double* scratch = nullptr;      // room for scratch_rows rows of numbers
  std::uint8_t* points = nullptr; // room for one byte per number in scratch, and 8 more
  Index scratch_rows = 0;
  // in and out
  const char* at = nullptr;     // a row begins here; afterwards, the row where it stopped
  Index row = 0;                // its number
  std::uint8_t* real = nullptr; // per column: set if a number is not an integer
  // out
  const char* slow_until = nullptr; // rows up to here need FieldReader
};

// Numbers are gathered row by row in scratch memory that stays in the nearest cache, and go to their columns a few
// cache lines at a time: columns often lie a multiple of 4096 bytes apart, and writing to all of them in turn would
// keep throwing each other's lines out.
inline constexpr Index kMostScratchRows = 64;
inline Index fast_scratch_rows(Index cols) {
  const Index rows = 4096 / cols / 8 * 8;
  return rows < 8 ? 8 : rows > kMostScratchRows ? kMostScratchRows : rows;
}

inline std::size_t fast_stops(Index cols) {
  return static_cast<std::size_t>(cols) * 4 + 1024;
}

enum class FastStop : std::uint8_t { slow, field }; // slow: FieldReader is to read up to slow_until

using ParseFastRows = FastStop (*)(FastRows&);
FastStop parse_fast_rows(FastRows& rows);
#if defined(__x86_64__)
FastStop parse_fast_rows_avx2(FastRows& rows);
FastStop parse_fast_rows_avx512(FastRows& rows);
#endif

ParseFastRows fastest_parse_rows();

} // namespace recta::csv
