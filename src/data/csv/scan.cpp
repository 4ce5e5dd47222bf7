#include "data/csv/scan.hpp"

#include "data/csv/masks.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace recta::csv {

void RowScan::run(const char* data, std::size_t limit, bool last, Index last_row) {
  while (state_.at < limit && rows_ < last_row) {
    if (!state_.blank) state_.at += plain_bytes(data + state_.at, limit - state_.at);
    const std::size_t base = state_.at, left = limit - base;
    const Masks masks = left >= 64 ? classify(data + base, '"') : classify_tail(data + base, left, '"');
    const std::uint64_t quotes = dialect_.quotes ? masks.quotes : 0;
    std::uint64_t bits = state_.quoted ? quotes : masks.ends | quotes;
    std::size_t next = base + (left < 64 ? left : 64);
    while (bits) {
      const auto at = base + static_cast<std::size_t>(std::countr_zero(bits));
      const bool quote = quotes & bits & -bits;
      bits &= bits - 1;
      if (quote) { // what the following bits mean may have changed: look again after it
        next = step_quote(data, at, limit, last);
        break;
      }
      end_line(data, at);
      if (rows_ == last_row) {
        next = at + 1;
        break;
      }
    }
    look_for_text(data, state_.at, next);
    state_.at = next;
  }
}

// Sets state_.blank to whether the current line is still blank at `to`; what lies before `from` is known.
void RowScan::look_for_text(const char* data, std::size_t from, std::size_t to) {
  for (std::size_t i = from > state_.line ? from : state_.line; i < to && state_.blank; ++i)
    state_.blank = dialect_.blank(data[i]);
}

void RowScan::end_line(const char* data, std::size_t end) {
  look_for_text(data, state_.at, end);
  ++lines_;
  met_returns_ |= data[end] == '\r';
  if (inside_line_) {
    inside_line_ = false;
    first_line_blank_ = state_.blank;
  } else if (!state_.blank) {
    ++rows_;
  }
  state_.line = end + 1;
  state_.blank = true;
}

std::size_t RowScan::step_quote(const char* data, std::size_t at, std::size_t limit, bool last) {
  met_quotes_ = true;
  if (state_.quoted) {
    const bool doubled = (at + 1 < limit || !last) && data[at + 1] == '"';
    state_.quoted = doubled;
    return doubled ? at + 2 : at + 1;
  }
  if (opens_field(data, at)) {
    state_.quoted = true;
    state_.opened = at;
  }
  return at + 1;
}

bool RowScan::opens_field(const char* data, std::size_t at) const {
  std::size_t i = at;
  while (i > state_.line && dialect_.blank(data[i - 1])) --i;
  if (i == state_.line) return true;
  return data[i - 1] == dialect_.separator || (dialect_.blank_runs() && i < at);
}

void RowScan::restart() {
  state_.at -= state_.line;
  state_.opened -= state_.quoted ? state_.line : state_.opened;
  state_.line = 0;
  rows_ = 0;
}

namespace {

// Line feeds, in counters of one byte that are emptied before they can overflow: every compiler makes wide code of it.
Index count_feeds(const char* begin, const char* end) {
  constexpr std::ptrdiff_t kWidth = 64, kTurns = 255;
  Index feeds = 0;
  const char* p = begin;
  while (end - p >= kWidth) {
    std::uint8_t feeds_at[kWidth] = {};
    const std::ptrdiff_t turns = std::min(kTurns, (end - p) / kWidth);
    for (std::ptrdiff_t t = 0; t < turns; ++t, p += kWidth)
      for (std::ptrdiff_t k = 0; k < kWidth; ++k) feeds_at[k] = static_cast<std::uint8_t>(feeds_at[k] + (p[k] == '\n'));
    for (const std::uint8_t count : feeds_at) feeds += count;
  }
  return feeds + std::count(p, end, '\n');
}

} // namespace

// \n, \r\n and a lone \r each end a line.
Index count_lines(const char* begin, const char* end) {
  Index lines = count_feeds(begin, end);
  const auto next_return = [end](const char* from) {
    const void* place = from < end ? std::memchr(from, '\r', static_cast<std::size_t>(end - from)) : nullptr;
    return static_cast<const char*>(place);
  };
  for (const char* p = next_return(begin); p; p = next_return(p + 1))
    if (p + 1 == end || p[1] != '\n') ++lines;
  return lines;
}

} // namespace recta::csv
