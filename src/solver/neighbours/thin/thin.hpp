// Subsets of labelled rows whose nearest row gives all rows their labels.
#pragma once

#include "base/pool.hpp"
#include "objective/neighbours/metric.hpp"

namespace recta::neighbours {

struct LabelledPoints {
  Points points;
  std::span<const double> label;
  Metric metric;
};

// Hart, The condensed nearest neighbor rule, 1968: a row is added if the nearest row of the subset has another label,
// until there is no such row. Rows are looked at in the order of their distance to the nearest row of another label,
// those at the border first, so that the subset is small and does not depend on the order of the rows. Rows of the
// subset in the order in which they were added.
std::vector<Index> condensed_rows(const LabelledPoints& rows, Pool& pool);

// Gates, The reduced nearest neighbor rule, 1972: a row of a subset is left out if every row that the subset gives its
// label keeps it. Rows are tried in the order given.
std::vector<Index> reduced_rows(const LabelledPoints& rows, std::vector<Index> subset, Pool& pool);

} // namespace recta::neighbours
