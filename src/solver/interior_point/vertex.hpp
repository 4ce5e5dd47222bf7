// The vertex that an interior point method approaches: as many rows as there are coefficients are met exactly.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "solver/interior_point/piece_sums.hpp"

#include <recta/trace.hpp>

#include <optional>

namespace recta {

struct VertexRows {
  std::vector<Index> columns; // in use
  bool intercept = true;
  std::vector<std::pair<Index, double>> own; // columns that may be zero, and their h in units of the rows
};

struct Vertex {
  std::vector<double> w;
  double b = 0;
};

// One pass, for the rows with the least h. Nothing: fewer independent rows are met than there are coefficients.
Result<std::optional<Vertex>> find_vertex(const VertexRows& wanted, const PieceMemory& memory, RowSource& rows,
                                          Pool& pool, const Watch& watch);

} // namespace recta
