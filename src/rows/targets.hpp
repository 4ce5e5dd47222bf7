// The targets of the rows of a table, as solvers see them.
#pragma once

#include "rows/sources.hpp"

namespace recta {

// The first target of every row; NaN for a row that is left out of fits, of weight zero or with something missing.
Result<std::vector<double>> targets_of(const Schema& schema, const Dataset& data);

} // namespace recta
