// One run of the method on rows as they are given: interior_point.hpp has the mathematics.
#pragma once

#include "solver/interior_point/interior_point.hpp"
#include "stats/gram/gram.hpp"

#include <optional>

namespace recta {

struct Basis;

struct InteriorRun {
  InteriorSolution solution;
  // Set, without an answer, if columns are so alike that the first step cannot be trusted: the products it rests on.
  std::optional<Gram> alike;
};

// `basis`: the basis of the rows; columns left out of it stay at zero. Null: no basis, and columns may be found alike.
Result<InteriorRun> run_interior_point(const InteriorProblem& problem, const Basis* basis, RowSource& rows, Pool& pool,
                                       const Watch& watch);

} // namespace recta
