// The duality gap of a point, as a sum of non-negative terms (the formulas are in docs/certificates.md). The dual point
// is c times the residual: c = 1 if the penalty has a square that takes up any excess, otherwise the largest c that
// keeps every |c g_j| within l1_j, or the best one below that.
#pragma once

#include "solver/coordinate_descent/term.hpp"
#include "solver/coordinate_descent/working_set.hpp"

namespace recta::descent {

struct Gap {
  double value = 0;
  double of_residual = 0; // with c times the residual as dual point: the gap that screening may use
};

// Columns that are not in `looked` have coefficient zero and |g_j| <= l1_j: they add nothing to the gap, but they keep
// c at 1 or below. `terms` are by place in `looked`. residual_square: <r, r>.
Gap measure_gap(std::span<const Term> terms, const Point& point, std::span<const Index> looked, double residual_square);

} // namespace recta::descent
