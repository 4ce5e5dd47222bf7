// Row ends, found 64 bytes at a time. A quote opens only at the start of a field and a row does not end inside quotes,
// exactly as in FieldReader.
#pragma once

#include "data/csv/dialect.hpp"

#include <recta/error.hpp>

#include <cstddef>

namespace recta::csv {

// The state of a scan at a position: enough to go on from there.
struct ScanState {
  std::size_t at = 0;     // next byte to look at
  std::size_t line = 0;   // where its line begins
  bool blank = true;      // nothing but blanks on that line so far
  bool quoted = false;    // inside quotes
  std::size_t opened = 0; // where these quotes opened
};

// A scan that can stop anywhere and go on later. Positions are offsets, so the memory may move in between.
class RowScan {
public:
  explicit RowScan(const Dialect& dialect, const ScanState& state = {}) : dialect_(dialect), state_(state) {}

  // Looks at [state().at, limit) of `data` until `last_row` rows have ended in all. If a quote is the last byte before
  // the limit, the byte after it is looked at too, unless `last` says that there is none.
  void run(const char* data, std::size_t limit, bool last, Index last_row);

  const ScanState& state() const { return state_; }
  Index rows() const { return rows_; } // ended so far, blank lines not counted
  bool met_quotes() const { return met_quotes_; }
  // Lines that ended so far, if each ended in \n alone and there were no quotes.
  Index lines() const { return lines_; }
  bool counted_lines() const { return !met_quotes_ && !met_returns_; }

  // For a scan that begins in the middle of a line: its end is not counted in rows(), because what came before is not
  // known.
  void begin_inside_line() { inside_line_ = true; }
  bool inside_first_line() const { return inside_line_; }
  bool first_line_blank() const { return first_line_blank_; }

  void restart(); // offsets count from the current line from now on, and rows from 0

private:
  void end_line(const char* data, std::size_t end);
  void look_for_text(const char* data, std::size_t from, std::size_t to);
  std::size_t step_quote(const char* data, std::size_t at, std::size_t limit, bool last);
  bool opens_field(const char* data, std::size_t at) const;

  Dialect dialect_;
  ScanState state_;
  Index rows_ = 0, lines_ = 0;
  bool met_quotes_ = false, met_returns_ = false, inside_line_ = false, first_line_blank_ = false;
};

// Lines that end in the text: \n, \r\n and a \r alone each end one.
Index count_lines(const char* begin, const char* end);

} // namespace recta::csv
