// The duality gap of a point, as a sum of non-negative terms. The dual point is c times the residual: c = 1 if the
// penalty has a square that takes up any excess, otherwise the largest c <= 1 that keeps |c g| <= l1 in every block.
#pragma once

#include "solver/block_descent/block.hpp"

#include <functional>
#include <vector>

namespace recta::descent {

// u and g of a block.
struct BlockPoint {
  std::vector<double> u, g;
};
using ReadBlock = std::function<const BlockPoint&(Index block)>;

// Blocks that are not in `looked` are zero and have |g| <= l1, so they add nothing to the gap. residual_square: <r, r>.
double measure_gap(std::span<const Block> blocks, std::span<const Index> looked, const ReadBlock& read,
                   double residual_square);

} // namespace recta::descent
