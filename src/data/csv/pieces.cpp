#include "data/csv/pieces.hpp"

#include "base/listening.hpp"
#include "data/csv/scan.hpp"

#include <algorithm>
#include <limits>

namespace recta::csv {
namespace {

constexpr Index kAll = std::numeric_limits<Index>::max();

RowScan scan_from(std::string_view bytes, const Layout& layout, const ScanState& state, std::size_t end,
                  bool inside_line) {
  RowScan scan(layout.dialect, state);
  if (inside_line) scan.begin_inside_line();
  scan.run(bytes.data(), end, end == bytes.size(), kAll);
  return scan;
}

} // namespace

// Every stretch of kPieceBytes is scanned on its own as if it began outside quotes; the stretches with quotes in them
// are scanned again in order, when it is known how they begin. A piece ends with the last row end in its stretch.
std::vector<Piece> cut_pieces(std::string_view bytes, const Layout& layout, Pool& pool) {
  const std::size_t begin = layout.data_begin, size = bytes.size() - begin;
  const std::size_t count = (size + kPieceBytes - 1) / kPieceBytes;
  const auto stretch_end = [&](std::size_t k) { return std::min(bytes.size(), begin + (k + 1) * kPieceBytes); };
  std::vector<RowScan> scans(count, RowScan(layout.dialect));
  run_listening(&pool, static_cast<Index>(count), [&](Index k, int) {
    const std::size_t at = begin + static_cast<std::size_t>(k) * kPieceBytes;
    scans[k] = scan_from(bytes, layout, {at, at}, stretch_end(k), k > 0);
  });
  std::vector<Piece> pieces;
  ScanState state{begin, begin};
  std::size_t piece_begin = begin;
  Index row = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t end = stretch_end(k);
    Index rows = scans[k].rows();
    if (state.quoted || scans[k].met_quotes() || state.at > begin + k * kPieceBytes) {
      keep_going(static_cast<double>(k) / static_cast<double>(count));
      const RowScan scan = scan_from(bytes, layout, state, end, false);
      rows = scan.rows();
      state = scan.state();
    } else if (k > 0 && scans[k].inside_first_line()) { // no row end in this stretch
      state.at = end;
      state.blank = state.blank && scans[k].state().blank;
    } else {
      if (k > 0) rows += !(state.blank && scans[k].first_line_blank());
      state = scans[k].state();
    }
    const bool last = k + 1 == count;
    rows += last && (!state.blank || state.quoted); // a last row without a row end
    std::size_t piece_end = last ? bytes.size() : state.line;
    // \r\n is not torn apart: lines are counted piece by piece.
    piece_end +=
        piece_end > begin && piece_end < bytes.size() && bytes[piece_end - 1] == '\r' && bytes[piece_end] == '\n';
    if (rows == 0 && !last) continue;
    pieces.push_back({piece_begin, piece_end, row, rows});
    piece_begin = piece_end;
    row += rows;
  }
  return pieces;
}

} // namespace recta::csv
