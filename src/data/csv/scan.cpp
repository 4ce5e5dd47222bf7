#include "data/csv/scan.hpp"

#include "data/csv/masks.hpp"

#include <bit>

namespace recta::csv {

void RowScan::run(const char* data, std::size_t limit, bool last, Index wanted) {
  while (state_.at < limit && rows_ < wanted) {
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
      if (rows_ == wanted) {
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

Index count_lines(const char* begin, const char* end) {
  Index lines = 0;
  for (const char* p = begin; p < end; p += 64) {
    const auto left = static_cast<std::size_t>(end - p);
    const Masks masks = left >= 64 ? classify(p, '\n') : classify_tail(p, left, '\n');
    lines += std::popcount(masks.separators);
    const std::uint64_t returns = masks.ends & ~masks.separators;
    if (!returns) continue;
    const bool feed_after = left > 64 && p[64] == '\n';
    lines += std::popcount(returns & ~(masks.separators >> 1 | static_cast<std::uint64_t>(feed_after) << 63));
  }
  return lines;
}

} // namespace recta::csv
