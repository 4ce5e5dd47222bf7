#include "data/csv/pieces.hpp"

#include "base/listening.hpp"
#include "data/csv/scan.hpp"

#include <algorithm>
#include <limits>

namespace recta::csv {
namespace {

constexpr Index kAll = std::numeric_limits<Index>::max();

RowScan scan_from(std::string_view text, const Layout& layout, const ScanState& state, std::size_t end, bool last,
                  bool inside_line) {
  RowScan scan(layout.dialect, state);
  if (inside_line) scan.begin_inside_line();
  scan.run(text.data(), end, last && end == text.size(), kAll);
  return scan;
}

} // namespace

// Every stretch of kPieceBytes is scanned on its own as if it began outside quotes; the stretches with quotes in them
// are scanned again in order, when it is known how they begin. A piece ends with the last row end in its stretch.
Pieces cut_pieces(std::string_view text, const Layout& layout, bool last, Pool& pool) {
  // If more text follows, the last byte is there only to be looked at after the one before it.
  const std::size_t size = text.size() - (last || text.empty() ? 0 : 1);
  const std::size_t count = (size + kPieceBytes - 1) / kPieceBytes;
  const auto stretch_end = [&](std::size_t k) { return std::min(size, (k + 1) * kPieceBytes); };
  std::vector<RowScan> scans(count, RowScan(layout.dialect));
  pool.run(static_cast<Index>(count), [&](Index k, int) {
    const std::size_t at = static_cast<std::size_t>(k) * kPieceBytes;
    scans[k] = scan_from(text, layout, {at, at}, stretch_end(k), last, k > 0);
  });
  Pieces pieces;
  ScanState state;
  Index lines = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t end = stretch_end(k);
    Index rows = scans[k].rows();
    const bool counted = lines >= 0 && !state.quoted && scans[k].counted_lines() && state.at == k * kPieceBytes;
    lines = counted ? lines + scans[k].lines() : Piece::kUncounted;
    if (state.quoted || scans[k].met_quotes() || state.at > k * kPieceBytes) {
      keep_going();
      const RowScan scan = scan_from(text, layout, state, end, last, false);
      rows = scan.rows();
      state = scan.state();
    } else if (k > 0 && scans[k].inside_first_line()) { // no row end in this stretch
      state.at = end;
      state.blank = state.blank && scans[k].state().blank;
    } else {
      if (k > 0) rows += !(state.blank && scans[k].first_line_blank());
      state = scans[k].state();
    }
    const bool ends = last && k + 1 == count;
    rows += ends && (!state.blank || state.quoted); // a last row without a row end
    std::size_t piece_end = ends ? size : state.line;
    // \r\n is not torn apart: lines are counted piece by piece.
    piece_end += piece_end > 0 && piece_end < text.size() && text[piece_end - 1] == '\r' && text[piece_end] == '\n';
    if (rows == 0 && !ends) continue;
    pieces.list.push_back({pieces.end, piece_end, pieces.rows, rows, lines});
    pieces.end = piece_end;
    pieces.rows += rows;
    lines = 0;
  }
  return pieces;
}

} // namespace recta::csv
