// Columns about their means and in units of their deviations, for learners that take rows as they are. Sparse rows are
// divided and not centred, which with an intercept changes nothing but the intercept.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"

#include <recta/trace.hpp>

namespace recta {

struct StandardUnits {
  std::vector<double> mean, deviation; // a column that does not vary has the deviation 1
  bool centred = true;

  // One pass over the rows.
  static Result<StandardUnits> of(RowSource& rows, bool sparse, Pool& pool, const Watch& watch);

  // Converts weights and an intercept, between these units and those of the data.
  void to_data(double* w, double& b) const;
  void from_data(double* w, double& b) const;
};

} // namespace recta
