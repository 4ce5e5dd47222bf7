// A table cut into pieces of whole rows, with the number of each piece's first row: the plan of a parallel read.
#pragma once

#include "base/pool.hpp"
#include "data/csv/layout.hpp"

#include <vector>

namespace recta::csv {

inline constexpr std::size_t kPieceBytes = 1 << 20;

struct Piece {
  std::size_t begin = 0, end = 0;
  Index first_row = 0, rows = 0;
};

// The grid of pieces depends on the bytes alone.
std::vector<Piece> cut_pieces(std::string_view bytes, const Layout& layout, Pool& pool);

} // namespace recta::csv
