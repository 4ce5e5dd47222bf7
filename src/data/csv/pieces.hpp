// A table cut into pieces of whole rows, with the number of each piece's first row: the plan of a parallel read.
#pragma once

#include "base/pool.hpp"
#include "data/csv/layout.hpp"

#include <vector>

namespace recta::csv {

inline constexpr std::size_t kPieceBytes = 1 << 18;

struct Piece {
  std::size_t begin = 0, end = 0;
  Index first_row = 0, rows = 0;
  Index lines = 0; // lines that end in it; kUncounted: count_lines tells
  static constexpr Index kUncounted = -1;
};

struct Pieces {
  std::vector<Piece> list; // one after the other from the start of the text
  Index rows = 0;
  std::size_t end = 0; // of the last piece: what follows is the beginning of a row
};

// The text begins with a row. `last`: with it the table ends, so that nothing is left over; else there may be no piece
// at all, if no row ends.
Pieces cut_pieces(std::string_view text, const Layout& layout, bool last, Pool& pool);

} // namespace recta::csv
