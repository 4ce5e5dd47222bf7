// One run of the method on rows as they are given: interior_point.hpp has the mathematics.
#pragma once

#include "solver/interior_point/interior_point.hpp"
#include "stats/gram/gram.hpp"

#include <optional>

namespace recta {

struct Basis;

struct InteriorRun {
  InteriorSolution solution;
  // Columns are so alike that the first step cannot be trusted: the products it rests on, and no answer.
  std::optional<Gram> alike;
};

// `basis`: that the rows are in; columns left out of it stay at zero. Null: none, and columns may be found alike.
Result<InteriorRun> run_interior_point(const InteriorProblem& problem, const Basis* basis, RowSource& rows, Pool& pool,
                                       const Watch& watch);

} // namespace recta
